import type { BacklogLook } from '@vuka/service-kit/backlog-gate';
import { firstIdAt } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { WAITS_FOR_PROVIDER } from '#saga/lost-payout.ts';

/**
 * Limits the cost of a check. Transfers are processed in order, so those that wait for us are among the newest open
 * ones.
 */
const LOOKS_AT = 5_000;
/** Between the clocks of replicas. */
const SKEW_MS = 1_000;

/**
 * Counts transfers that wait for one of our own steps, not for a provider or a person, and those that arrived since the
 * given time (ids sort by time). An id dated in the future comes from another clock, or from this one before it was set
 * back, and does not count as an arrival. A booking that the ledger refuses waits for a person and is excluded, so that
 * one frozen wallet cannot make us refuse everyone's orders.
 */
export async function lookAtBacklog(db: Db, { since, now }: { since: Date; now: Date }): Promise<BacklogLook> {
  const end = firstIdAt(new Date(now.getTime() + SKEW_MS));
  const { rows } = await sql<{ waiting: number; arrived: number }>`
    select
      (select count(*)::int from (
        select step, waiting_reason from transactions where is_open order by id desc limit ${LOOKS_AT}) as newest
      where (step in ('created', 'approved') and not ${WAITS_FOR_PROVIDER})
        or (step in ('capturing', 'releasing') and waiting_reason is null)) as waiting,
      (select count(*)::int from transactions where id >= ${firstIdAt(since)} and id < ${end}) as arrived`.execute(db);
  return rows[0] ?? { waiting: 0, arrived: 0 };
}
