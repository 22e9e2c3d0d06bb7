import { COMMANDS } from '@vuka/contracts/topology';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { createBatcher } from '#batcher.ts';
import type { MessageBus, PublishOutcome } from '#messaging/message-bus.ts';
import {
  type ClaimedPack,
  claimBatch,
  type Failure,
  findOldestPendingMs,
  type Mark,
  markFromMemory,
  markPublished,
  prunePublished,
  recordFailures,
} from '#outbox.store.ts';
import { type OutboxPack, type OutboxSchema, writeMessages } from '#outbox.ts';
import { recordSpan } from './tracing.ts';

export interface OutboxRelayOptions<Schema extends OutboxSchema> {
  db: Kysely<Schema>;
  bus: Pick<MessageBus, 'publish' | 'health'>;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** How often the relay looks without a kick, in milliseconds. */
  pollMs?: number;
  /** How long a claimed pack is reserved for its relay; longer than any publish takes. */
  leaseMs?: number;
  /** Packs per claim. */
  batchSize?: number;
}

/** Publishes what the outbox holds. Any number of relays may share one outbox. */
export interface OutboxRelay {
  start(): void;
  /** Reports that a transaction has just written messages. Cheap; call it after every such commit. */
  kick(): void;
  /**
   * Publishes a pack that this process has just committed under its own claim (`CLAIMED_BY_WRITER`), from memory,
   * without reading it back, in its order. Whatever is not confirmed is left to `drain`.
   */
  publishCommitted(pack: OutboxPack): void;
  /** Publishes until nothing is due, and returns how many messages were confirmed. */
  drain(): Promise<number>;
  /** Age of the oldest unpublished pack, in milliseconds; 0 if there is none. */
  oldestPendingMs(): Promise<number>;
  /** Deletes packs published more than 7 days ago; returns how many. Also runs every minute. */
  prune(): Promise<number>;
  /** Finishes the batch in flight. */
  stop(): Promise<void>;
}

/**
 * No caller waits for a mark, and pages and logs may receive an event a little later. Commands are not delayed, since a
 * user waits for them.
 */
const MARKS_PACE_MS = 500;
const EVENTS_PACE_MS = 100;
/** Packs per claim; a pack of a busy commit holds a hundred messages. */
const BATCH_SIZE = 100;
/** Packs that wait in memory. */
const MAX_COMMITTED = 2_000;
const PRUNE_EVERY_MS = 60_000;
/** Twice the longest publish. No longer, since a claim whose answer was lost delays a command by this much. */
const LEASE_MS = 20_000;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 5 * 60_000;

/** Builds a relay. Delivery is at least once: if a relay dies after publishing, the next one publishes again. */
export function createOutboxRelay<Schema extends OutboxSchema>(options: OutboxRelayOptions<Schema>): OutboxRelay {
  const { db, bus, logger, pollMs = 500, batchSize = BATCH_SIZE } = options;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isFailing = false;
  let prunedAt = performance.now();

  const drain = runOneAtATime(async () => {
    let confirmed = 0;
    while (!isStopped && bus.health().connected) {
      const batch = await relayBatch(options);
      confirmed += batch.confirmed;
      if (batch.claimed < batchSize || batch.confirmed === 0) break;
    }
    return confirmed;
  });

  const marks = createBatcher<Mark, undefined>({
    maxQueue: MAX_COMMITTED,
    paceMs: MARKS_PACE_MS,
    run: (published) => markFromMemory(db, published),
  });
  const publisher = (paceMs: number) =>
    createBatcher<OutboxPack, undefined>({
      maxQueue: MAX_COMMITTED,
      paceMs,
      async run(packs) {
        for (const mark of await publishFromMemory(bus, packs)) marks.submit(mark).catch(() => undefined);
        return packs.map(() => undefined);
      },
    });
  const [commands, events] = [publisher(0), publisher(EVENTS_PACE_MS)];

  async function tick(): Promise<void> {
    try {
      await drain();
      if (performance.now() - prunedAt >= PRUNE_EVERY_MS) {
        prunedAt = performance.now();
        await prunePublished(db);
      }
      if (isFailing) logger.info('the outbox relay works again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'the outbox relay cannot reach its database');
      isFailing = true;
    }
  }

  function schedule(): void {
    if (!isStopped) timer = setTimeout(() => void tick().finally(schedule), pollMs);
  }

  return {
    start: schedule,
    kick() {
      if (!(isStopped || isFailing)) void tick();
    },
    publishCommitted(pack) {
      // Commands and events of one pack take the same way: if the events came later, they could arrive after the events
      // of another process that handled the command.
      const way = pack.messages.some(({ exchange }) => exchange === COMMANDS) ? commands : events;
      if (pack.messages.length > 0) way.submit(pack).catch(() => undefined);
    },
    drain,
    oldestPendingMs: () => findOldestPendingMs(db),
    prune: () => prunePublished(db),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all([drain().catch(() => undefined), commands.idle(), events.idle()]);
      await marks.idle();
    },
  };
}

/** Runs `pass` one at a time; a request during a pass causes one more pass. */
function runOneAtATime(pass: () => Promise<number>): () => Promise<number> {
  let running: Promise<number> | undefined;
  let isRequested = false;
  async function run(): Promise<number> {
    let total = 0;
    try {
      while (isRequested) {
        isRequested = false;
        total += await pass();
      }
      return total;
    } finally {
      running = undefined;
    }
  }
  return () => {
    isRequested = true;
    running ??= run();
    return running;
  };
}

/** One batch: claims in its own statement, publishes outside of any transaction, then marks. */
async function relayBatch<Schema extends OutboxSchema>(
  options: OutboxRelayOptions<Schema>,
): Promise<{ claimed: number; confirmed: number }> {
  const { db, bus, logger, leaseMs = LEASE_MS, batchSize = BATCH_SIZE } = options;
  const claimed = await claimBatch(db, batchSize, leaseMs);
  if (claimed.length === 0) return { claimed: 0, confirmed: 0 };
  const published = await publishAll(bus, claimed);
  await markPublished(
    db,
    published.filter(isConfirmed).map(({ pack }) => pack.id),
  );
  await recordFailures(db, published.flatMap(findFailure));
  for (const { pack, outcomes } of published) {
    for (const [place, { exchange, routingKey, envelope }] of pack.messages.entries()) {
      if (outcomes[place]?.status !== 'unroutable') continue;
      logger.error(
        { exchange, routingKey, messageId: envelope.id, attempts: pack.attempts },
        'no queue takes a message',
      );
    }
  }
  const sent = published.flatMap(({ outcomes }) => outcomes).filter(({ status }) => status === 'confirmed').length;
  return { claimed: claimed.length, confirmed: sent };
}

/** A pack, and the outcome of each of its messages. */
interface Published<Pack> {
  pack: Pack;
  outcomes: PublishOutcome[];
}

const isConfirmed = ({ outcomes }: Published<unknown>) => outcomes.every(({ status }) => status === 'confirmed');

/** Publishes packs, with all messages of each together and in order. */
async function publishAll<Pack extends Pick<OutboxPack, 'messages'>>(
  bus: Pick<MessageBus, 'publish'>,
  packs: readonly Pack[],
): Promise<Published<Pack>[]> {
  const startMs = Date.now();
  const outcomes = await bus.publish(
    packs.flatMap(({ messages }) =>
      messages.map(({ exchange, envelope, routingKey }) => {
        return { exchange, routingKey: routingKey ?? envelope.type, envelope, requireRoute: true };
      }),
    ),
  );
  const endMs = Date.now();
  for (const { envelope, routingKey } of packs.flatMap(({ messages }) => messages)) {
    recordSpan(envelope.correlationid, {
      name: `publish ${routingKey ?? envelope.type}`,
      kind: 'producer',
      startMs,
      endMs,
    });
  }
  let next = 0;
  return packs.map((pack) => ({
    pack,
    outcomes: pack.messages.map(() => outcomes[next++] ?? { status: 'unknown', error: 'no outcome' }),
  }));
}

async function publishFromMemory(bus: Pick<MessageBus, 'publish'>, packs: OutboxPack[]): Promise<Mark[]> {
  const published = await publishAll(bus, packs);
  return published.map((each) => ({ packId: each.pack.id, isConfirmed: isConfirmed(each) }));
}

/** A refused message backs off; one with an unknown outcome is due again soon, since the bus was only unavailable. */
function findFailure({ pack, outcomes }: Published<ClaimedPack>): Failure[] {
  const failed = outcomes.filter((outcome) => outcome.status !== 'confirmed');
  const outcome = failed.find(({ status }) => status === 'unknown') ?? failed[0];
  if (!outcome) return [];
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(pack.attempts - 1, 20), LONGEST_BACKOFF_MS);
  return [
    {
      id: pack.id,
      error: outcome.status === 'unroutable' ? 'unroutable' : `${outcome.status}: ${outcome.error}`.slice(0, 1000),
      delayMs: outcome.status === 'unknown' ? FIRST_BACKOFF_MS : backoffMs,
      unsent: writeMessages(pack.messages.filter((_, place) => outcomes[place]?.status !== 'confirmed')),
    },
  ];
}
