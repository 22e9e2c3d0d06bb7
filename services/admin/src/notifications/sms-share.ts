import { DAY_MS } from '@vuka/contracts/http/days';
import { firstIdAt } from '@vuka/service-kit/ids';
import type { Db } from '#db/schema.ts';
import type { Message } from './notification.domain.ts';

/**
 * Text messages to one person in a day; emails are not limited. Each one costs us money, and the owner of a number can
 * earn from it: a script could otherwise cause any number of them by signing in or sending small amounts.
 */
const MOST_A_DAY = 100;

interface Written {
  eventId: string;
  message: Message;
}

/** Leaves out text messages that exceed their person's daily share; codes and new PINs have limits of their own. */
export async function withinSmsShare(db: Db, messages: readonly Written[], now: Date): Promise<Written[]> {
  const isShared = ({ message }: Written) => message.channel === 'sms' && !message.hasCode && !message.isAboutAccess;
  const userIds = [...new Set(messages.filter(isShared).map(({ message }) => message.userId))];
  if (userIds.length === 0) return [...messages];
  const since = new Date(now.getTime() - DAY_MS);
  const rows = await db
    .selectFrom('notifications')
    .select(['user_id', ({ fn }) => fn.countAll<string>().as('sent')])
    .where('user_id', 'in', userIds)
    // The index by user and id leads to those of the last day.
    .where('id', '>', firstIdAt(since))
    .where('channel', '=', 'sms')
    .where('created_at', '>', since)
    .groupBy('user_id')
    .execute();
  const sent = new Map(rows.map((row) => [row.user_id, Number(row.sent)]));
  return messages.filter((written) => {
    if (!isShared(written)) return true;
    const before = sent.get(written.message.userId) ?? 0;
    sent.set(written.message.userId, before + 1);
    return before < MOST_A_DAY;
  });
}
