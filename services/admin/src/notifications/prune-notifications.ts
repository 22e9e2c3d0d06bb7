import { firstIdAt } from '@vuka/service-kit/ids';
import type { Db } from '#db/schema.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Deletes messages older than `keptDays`, with their recipients; never a message that is still to be sent. */
export async function pruneNotifications(db: Db, now: Date, keptDays: number): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('id', '<', firstIdAt(new Date(now.getTime() - keptDays * DAY_MS)))
    .where('status', '!=', 'pending')
    .execute();
}
