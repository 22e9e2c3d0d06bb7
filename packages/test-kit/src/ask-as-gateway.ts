import type { OutgoingHttpHeaders } from 'node:http';

/** The part of a service's app that it needs: this package depends on no service and none of their libraries. */
interface App {
  inject(request: {
    method: 'GET' | 'POST';
    url: string;
    payload?: object;
    headers: Record<string, string>;
  }): Promise<{ statusCode: number; headers: OutgoingHttpHeaders; json(): unknown }>;
}

interface Tokens {
  signService(service: string): string;
}

interface Question {
  method: 'GET' | 'POST';
  url: string;
  payload?: object | undefined;
  /** The token of the person on whose behalf it asks; none if missing. */
  caller?: string | null | undefined;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what a test is about
  body: any;
  headers: OutgoingHttpHeaders;
}

/** Calls an internal route of an app, signed as the gateway signs. The answer must be JSON. */
export async function askAsGateway(
  app: App,
  tokens: Tokens,
  { method, url, payload, caller }: Question,
): Promise<Answer> {
  const response = await app.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    headers: {
      'x-vuka-service': tokens.signService('gateway'),
      ...(caller ? { 'x-vuka-caller': caller } : {}),
    },
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}
