import { FeedHeaders, FeedQuery } from '@vuka/contracts/http/feed';
import type { TransferEvents } from '@vuka/contracts/internal/transfer-events';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiKeys } from '#access/api-keys.ts';
import { beginEventStream, HEARTBEAT_MS } from '#live/event-stream.ts';
import type { FeedReader } from './feed-reader.ts';
import type { FeedStream, FeedStreams } from './feed-streams.ts';

export interface FeedRoutesDeps {
  apiKeys: ApiKeys;
  feedReader: FeedReader;
  feedStreams: FeedStreams;
}

/** Where nothing was told meanwhile; an event that waits for an earlier transaction to end is told of only once. */
const LOOK_EVERY_MS = 1_000;
const GAP = { message: 'Events before this were kept for 7 days and are gone.' };

const DESCRIPTION =
  'Server-sent events (WHATWG HTML, 9.2). The data of each is one CloudEvents 1.0 event in structured JSON, and its SSE ' +
  'event name is the type: transfer.created.v1, .processing.v1, .waiting.v1, .settled.v1 or .failed.v1. Send the last ' +
  'id as Last-Event-ID to go on after it. Every event comes at least once; one that comes again has the id (of ' +
  'the CloudEvent) that it had. Events are kept for 7 days; the SSE event named gap says that some are gone.';

/** `GET /api/feed/transfers`: what happens to all transfers, for other programs. */
export function feedRoutes(app: HttpApp, deps: FeedRoutesDeps): void {
  // An open stream would hold up the shutdown for ever.
  app.addHook('preClose', async () => deps.feedStreams.endAll());
  app.get(
    '/api/feed/transfers',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['feed'],
        summary: 'Transfer events, for other programs',
        description: DESCRIPTION,
        security: [{ apiKey: [] }],
        querystring: FeedQuery,
        headers: FeedHeaders,
        produces: ['text/event-stream'],
      },
    },
    async (request, reply) => {
      const { id, key } = await deps.apiKeys.require(request);
      const stream = deps.feedStreams.open(id, reply.raw);
      const after = request.headers['last-event-id'];
      const page = await deps.feedReader.read(after === undefined ? { from: request.query.from } : { after });
      if (stream.isOver) throw unavailable('nobody is there to be told');
      beginEventStream(reply);
      void follow(stream, page, { ...deps, key });
      return reply;
    },
  );
}

async function follow(stream: FeedStream, first: TransferEvents, deps: FeedRoutesDeps & { key: string }) {
  let page = first;
  let place: string | undefined;
  // An id without data moves the reader's place on: what is not told of in a long time is no gap to it.
  const beat = () => stream.writeIfRead(`: still here\n${place === undefined ? '' : `id: ${place}\n`}\n`);
  const heartbeat = setInterval(() => {
    beat();
    void endIfRevoked(stream, deps);
  }, HEARTBEAT_MS);
  while (!stream.isOver) {
    if (page.isGap) await stream.write(`event: gap\ndata: ${JSON.stringify(GAP)}\n\n`);
    for (const told of page.events) {
      await stream.write(`id: ${told.place}\nevent: ${told.event.type}\ndata: ${JSON.stringify(told.event)}\n\n`);
      place = told.place;
    }
    place = page.next;
    if (page === first) beat();
    if (!page.hasMore) await stream.news(LOOK_EVERY_MS);
    if (!stream.isOver) page = await readOn(stream, place, deps.feedReader);
  }
  clearInterval(heartbeat);
}

/** What is away is waited for; a place that is foreign now, after a restore, is told to who comes back with it. */
async function readOn(stream: FeedStream, place: string, reader: FeedReader): Promise<TransferEvents> {
  try {
    return await reader.read({ after: place });
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') stream.end();
    return { events: [], next: place, hasMore: false, isGap: false };
  }
}

async function endIfRevoked(stream: FeedStream, { apiKeys, key }: { apiKeys: ApiKeys; key: string }) {
  const stands = await apiKeys.stands(key).catch(() => true);
  if (!stands) stream.end();
}
