import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Often enough for proxies, which close what is silent for a minute. */
export const HEARTBEAT_MS = 15_000;
const RECONNECT_AFTER_MS = 2_000;

/** Answers with a stream of server-sent events (WHATWG HTML, 9.2), which from then on is the caller's to write and end. */
export function beginEventStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': reply.request.id,
  });
  raw.write(`retry: ${RECONNECT_AFTER_MS}\n\n`);
  return raw;
}
