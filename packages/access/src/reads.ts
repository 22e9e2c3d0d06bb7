import { createHash } from 'node:crypto';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import { createRecentMap } from '@vuka/service-kit/recent-map';
import type { Kysely } from 'kysely';
import { type AdminAction, recordAction } from './audit-trail.ts';

/** Looking at the same again within this time is the same reading: pages reload by themselves. */
const SAME_FOR_MS = 3_600_000;
/** Beyond this many, the oldest are forgotten, and recorded again. */
const MOST_KNOWN = 10_000;

interface ReadDeps<Schema extends OutboxSchema> {
  db: Kysely<Schema>;
  now: () => Date;
  kickRelay: () => void;
}

/** `what` tells readings of one subject apart, such as the pages of a list; it is not stored. */
export type Reading = Pick<AdminAction, 'caller' | 'action' | 'subject' | 'after'> & { what?: string };

interface Clocks {
  wallMs: number;
  monotonicMs: number;
}

/**
 * Uses the clock that advanced more: a wall clock may be set back, and a suspended machine's monotonic clock stands
 * still.
 */
const passedMs = (from: Clocks, to: Clocks) => Math.max(to.wallMs - from.wallMs, to.monotonicMs - from.monotonicMs);

/**
 * Records that an administrator reads personal data, once an hour per administrator and data. Await it before
 * answering: data whose reading cannot be recorded must not be shown.
 */
export function createReadRecorder<Schema extends OutboxSchema>(
  { db, now, kickRelay }: ReadDeps<Schema>,
  source: string,
): (reading: Reading) => Promise<void> {
  const known = createRecentMap<Clocks>(MOST_KNOWN);
  return async ({ what = '', ...reading }) => {
    const at = now();
    const clocks = { wallMs: at.getTime(), monotonicMs: performance.now() };
    const text = JSON.stringify([reading.caller.userId, reading.action, reading.subject.id, what]);
    // `what` may be long, and contain a searched name or number.
    const key = createHash('sha256').update(text).digest('base64url');
    const last = known.get(key);
    if (last && passedMs(last, clocks) < SAME_FOR_MS) return;
    await db.transaction().execute((trx) => recordAction(trx, { source, ...reading }, at));
    kickRelay();
    known.set(key, clocks);
  };
}
