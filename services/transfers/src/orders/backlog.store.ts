import type { BacklogLook } from '@vuka/service-kit/backlog-gate';
import { firstIdAt } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/** Bounds what a look costs. Transfers go on in their order: what waits for us is among the newest open ones. */
const LOOKS_AT = 5_000;

/**
 * How many transfers wait for a step of ours, as opposed to a provider or a person, and how many came in since. Ids
 * sort by time. A booking that the ledger refuses waits for a person: a frozen wallet may not keep everybody out.
 */
export async function lookAtBacklog(db: Db, since: Date): Promise<BacklogLook> {
  const { rows } = await sql<{ waiting: number; arrived: number }>`
    select
      (select count(*)::int from (
        select step, waiting_reason from transactions where is_open order by id desc limit ${LOOKS_AT}) as newest
      where step in ('created', 'approved')
        or (step in ('capturing', 'releasing') and waiting_reason is null)) as waiting,
      (select count(*)::int from transactions where id >= ${firstIdAt(since)}) as arrived`.execute(db);
  return rows[0] ?? { waiting: 0, arrived: 0 };
}
