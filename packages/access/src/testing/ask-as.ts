import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { KEY_HEADER } from '@vuka/service-kit/idempotency-key';
import { SERVICE_HEADER } from '@vuka/service-kit/service-tokens';
import { type Caller, encodeCaller } from '#caller.ts';
import { testTokens } from './test-tokens.ts';

interface Question {
  method: 'GET' | 'POST';
  url: string;
  payload?: object | undefined;
  /** The person on whose behalf it asks; none if missing. */
  caller?: Caller | null | undefined;
  /** An idempotency key. */
  key?: string | undefined;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what a test is about
  body: any;
  headers: OutgoingHttpHeaders;
}

/** Calls an internal route of a service's app as another service does. The answer must be JSON. */
export async function askAs(
  from: string,
  to: { app: HttpApp; service: string },
  { method, url, payload, caller, key }: Question,
): Promise<Answer> {
  const response = await to.app.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    headers: {
      [SERVICE_HEADER]: await testTokens(from).tokenFor(to.service),
      ...(caller ? { 'x-vuka-caller': encodeCaller(caller) } : {}),
      ...(key === undefined ? {} : { [KEY_HEADER]: key }),
    },
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}
