import type { IncomingHttpHeaders } from 'node:http';

/** draft-ietf-httpapi-idempotency-key-header; a service passes its client's key on to the service that does the work. */
export const KEY_HEADER = 'idempotency-key';

/** The key of a request, undefined if the client sent none. Its form is checked where requests enter. */
export function idempotencyKeyOf({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const key = headers[KEY_HEADER];
  return typeof key === 'string' ? key : undefined;
}
