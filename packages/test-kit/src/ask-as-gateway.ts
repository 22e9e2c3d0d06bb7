import type { OutgoingHttpHeaders } from 'node:http';

/** What it takes of a service's app, by its shape: this package knows no service and none of their tools. */
interface App {
  inject(request: {
    method: 'GET' | 'POST';
    url: string;
    payload?: object;
    headers: Record<string, string>;
  }): Promise<{ statusCode: number; headers: OutgoingHttpHeaders; json(): unknown }>;
}

interface Tokens<Caller> {
  signService(service: string): string;
  signCaller(caller: Caller): string;
}

interface Question<Caller> {
  method: 'GET' | 'POST';
  url: string;
  payload?: object | undefined;
  /** The person it is asked for; nobody where there is none. */
  caller?: Caller | null | undefined;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what a test is about
  body: any;
  headers: OutgoingHttpHeaders;
}

/** Asks an app for one of its internal routes, signed as the gateway signs. The answer has to be JSON. */
export async function askAsGateway<Caller>(
  app: App,
  tokens: Tokens<Caller>,
  { method, url, payload, caller }: Question<Caller>,
): Promise<Answer> {
  const response = await app.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    headers: {
      'x-vuka-service': tokens.signService('gateway'),
      ...(caller ? { 'x-vuka-caller': tokens.signCaller(caller) } : {}),
    },
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}
