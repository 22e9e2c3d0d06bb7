import type { ServerResponse } from 'node:http';
import { unavailable } from '@vuka/service-kit/app-error';
import type { FastifyReply } from 'fastify';

/** Often enough for proxies, which close connections that are silent for a minute. */
export const HEARTBEAT_MS = 15_000;
const RECONNECT_AFTER_MS = 2_000;

/**
 * Throws unavailable if no stream can begin: its reader has disconnected, or the request took too long and was answered
 * otherwise. Call it after every wait: the answer may have closed meanwhile, and a `close` listener that is added later
 * never runs, so what it would free leaks.
 */
export function refuseIfOver({ raw }: FastifyReply): void {
  if (raw.destroyed || raw.writableEnded) throw unavailable('the reader has disconnected');
}

/**
 * Answers with a stream of server-sent events (WHATWG HTML, 9.2), which the caller then writes and ends. A connection
 * error only ends the stream: without a listener it would end the process.
 */
export function beginEventStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack();
  raw.on('error', () => undefined);
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': reply.request.id,
  });
  raw.write(`retry: ${RECONNECT_AFTER_MS}\n\n`);
  return raw;
}

/** Ends a stream. If its reader does not read, the end would never reach it, so the connection is closed as well. */
export function endEventStream(raw: ServerResponse): void {
  raw.end();
  if (raw.writableLength > 0) raw.destroy();
}
