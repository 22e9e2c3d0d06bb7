import { addressBlockOf, type Network, networksOf } from '@vuka/service-kit/address-block';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyReply } from 'fastify';
import type { Db } from '#db/schema.ts';
import type { Sessions, Signed } from '#guards/sessions.ts';
import { beginEventStream, endEventStream, HEARTBEAT_MS, refuseIfOver } from './event-stream.ts';
import { findMissedEvents } from './live-event.store.ts';
import type { LiveEvent, LiveHub } from './live-hub.ts';

export interface LiveRoutesDeps {
  db: Db;
  hub: LiveHub;
  sessions: Sessions;
}

const MAX_STREAMS_OF_USER = 10;
const MAX_STREAMS = 10_000;
/** Many phones of a mobile network share one address; yet one address may not take every place. */
const MAX_STREAMS_OF_NETWORK = 2_000;
/** A reader with this much unread data is disconnected; it reconnects and resumes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** `GET /api/events`: the signed-in user's own changes as server-sent events (WHATWG HTML, 9.2). */
export function liveRoutes(app: HttpApp, deps: LiveRoutesDeps): void {
  let isStopping = false;
  // An open stream would block the shutdown.
  app.addHook('preClose', async () => {
    isStopping = true;
    deps.hub.endAll();
  });
  const schema = { summary: 'Own changes, live', tags: ['live'], produces: ['text/event-stream'] };
  // A HEAD request for the stream would never end either.
  app.get('/api/events', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const signed = await deps.sessions.requireInBackground(request);
    refuseIfOver(reply);
    const networks = networksOf(addressBlockOf(request.ip));
    refuseExcess(deps.hub, signed.user.id, networks);
    const place = deps.hub.reserve(
      signed.user.id,
      networks.map(({ network }) => network),
    );
    try {
      const missed = await findMissed(deps.db, signed.user.id, request.headers['last-event-id']);
      refuseIfOver(reply);
      if (isStopping) throw unavailable('the process stops');
      stream(reply, deps, { signed, place, missed });
    } catch (error) {
      place.remove();
      throw error;
    }
    return reply;
  });
}

async function findMissed(db: Db, userId: string, lastId: string | string[] | undefined): Promise<LiveEvent[]> {
  return typeof lastId === 'string' && /^\d{1,18}$/.test(lastId) ? findMissedEvents(db, userId, lastId) : [];
}

function refuseExcess(hub: LiveHub, userId: string, networks: readonly Network[]): void {
  const isFull = networks.some(({ network, times }) => hub.openStreamsFrom(network) >= MAX_STREAMS_OF_NETWORK * times);
  if (!isFull && hub.openStreamsOf(userId) < MAX_STREAMS_OF_USER && hub.size < MAX_STREAMS) return;
  throw new AppError('pages_full', { retryAfterSeconds: 30 });
}

interface Opening {
  signed: Signed;
  place: ReturnType<LiveHub['reserve']>;
  missed: LiveEvent[];
}

function stream(reply: FastifyReply, deps: LiveRoutesDeps, { signed, place, missed }: Opening): void {
  const raw = beginEventStream(reply);
  const write = (text: string) => {
    // It has ended, and its connection may take a while to close.
    if (raw.writableEnded || raw.destroyed) return;
    if (raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy();
    else raw.write(text);
  };
  const send = (event: LiveEvent) => {
    const id = event.id === undefined ? '' : `id: ${event.id}\n`;
    write(`${id}event: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`);
    if (event.name === 'session') void endIfOver();
  };
  const endIfOver = async () => {
    const stands = await deps.sessions.stands(signed.sessionToken).catch(() => true);
    if (!stands) endEventStream(raw);
  };
  const heartbeat = setInterval(() => {
    write(': still here\n\n');
    void endIfOver();
  }, HEARTBEAT_MS);
  raw.on('close', () => {
    clearInterval(heartbeat);
    place.remove();
  });
  place.open({ send, end: () => endEventStream(raw) }, missed);
  // Any missed event may have moved money.
  send({ name: 'balances', data: {} });
}
