import { FeedHeaders, FeedQuery } from '@vuka/contracts/http/feed';
import type { TransferEvents } from '@vuka/contracts/internal/transfer-events';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { envelopeJson } from '@vuka/service-kit/cloud-event';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiKeys } from '#guards/api-keys.ts';
import { beginEventStream, HEARTBEAT_MS, refuseIfOver } from '#live/event-stream.ts';
import type { FeedReader } from './feed-reader.ts';
import type { FeedStream, FeedStreams } from './feed-streams.ts';

export interface FeedRoutesDeps {
  apiKeys: ApiKeys;
  feedReader: FeedReader;
  feedStreams: FeedStreams;
}

/**
 * How often the feed is read without a wake-up. An event that waits for an earlier transaction causes only one wake-up,
 * which comes before it can be read.
 */
const LOOK_EVERY_MS = 1_000;
const GAP = {
  message: 'Events may be missing: deleted after 7 days, or lost by a restore or a failover. All that are kept follow.',
};

const DESCRIPTION =
  'Server-sent events (WHATWG HTML, 9.2). The data of each is one CloudEvents 1.0 event in structured JSON; its ' +
  'schemas are CloudEvent and, for its data, TransferChanged in docs/asyncapi.json. The SSE event name is its type ' +
  'after `africa.vuka.`: transfer.created.v1, .processing.v1, .waiting.v1, .settled.v1 or .failed.v1. Send the last ' +
  'id as Last-Event-ID to resume after it; it takes precedence over `from`. Every event is delivered at least once; ' +
  'a duplicate has the same id (of the CloudEvent). Every 15 s without events brings a comment and an id. The ' +
  'stream begins with `retry: 2000`. Events are kept for 7 days. The SSE event named gap has no id, and its data is ' +
  '{"message": "..."}. After an absence of more than 7 days, the events between the last id and the next event are ' +
  'missing. After a restore or a failover the newest events before it may be lost; every event that is kept follows ' +
  'again, so an event of the last 7 days that the reader has and that does not follow was lost. 400: the feed does ' +
  'not know the last id; delete it, read from=oldest, and compare as after a gap. An error is JSON.';

/** `GET /api/feed/transfers`: the events of all transfers, for other programs. */
export function feedRoutes(app: HttpApp, deps: FeedRoutesDeps): void {
  // An open stream would block the shutdown.
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
      refuseIfOver(reply);
      const stream = deps.feedStreams.open(id, reply.raw);
      const after = request.headers['last-event-id'];
      const page = await deps.feedReader.read(after === undefined ? { from: request.query.from } : { after });
      refuseIfOver(reply);
      if (stream.isOver) throw unavailable('the process stops');
      beginEventStream(reply);
      void follow(stream, page, { ...deps, key });
      return reply;
    },
  );
}

async function follow(stream: FeedStream, first: TransferEvents, deps: FeedRoutesDeps & { key: string }) {
  let page = first;
  let place: string | undefined;
  // An id without data advances the reader's position, so that a quiet period does not look like a gap.
  const beat = () => stream.writeIfRead(`: still here\n${place === undefined ? '' : `id: ${place}\n`}\n`);
  const heartbeat = setInterval(() => {
    beat();
    void endIfRevoked(stream, deps);
  }, HEARTBEAT_MS);
  while (!stream.isOver) {
    if (page.isGap) await stream.write(`event: gap\ndata: ${JSON.stringify(GAP)}\n\n`);
    for (const entry of page.events) {
      await stream.write(`id: ${entry.place}\nevent: ${entry.event.type}\ndata: ${envelopeJson(entry.event)}\n\n`);
      place = entry.place;
    }
    place = page.next;
    if (page === first) beat();
    if (!page.hasMore) await stream.news(LOOK_EVERY_MS);
    if (!stream.isOver) page = await readOn(stream, place, deps.feedReader);
  }
  clearInterval(heartbeat);
}

/**
 * Waits while transfers is unavailable. A position that became invalid, after a restore, is refused when the reader
 * reconnects.
 */
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
