import { DAY_MS } from '@vuka/contracts/http/days';
import { firstIdAt } from '@vuka/service-kit/ids';
import { pruneInBatches } from '@vuka/service-kit/prune';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/** Deletes messages older than `keptDays`, with their recipients; never a message that is still to be sent. */
export async function pruneNotifications(db: Db, now: Date, keptDays: number): Promise<void> {
  const end = firstIdAt(new Date(now.getTime() - keptDays * DAY_MS));
  await pruneInBatches(
    db,
    (limit) => sql`
      delete from notifications where id = any(array(
        select id from notifications where id < ${end} and status <> 'pending' order by id limit ${limit}))`,
  );
}
