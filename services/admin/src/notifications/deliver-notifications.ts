import { DAY_MS } from '@vuka/contracts/http/days';
import type { Logger } from '@vuka/service-kit/logger';
import { type Part, pollingPart } from '@vuka/service-kit/poll';
import { sql } from 'kysely';
import type { Db, NotificationRow } from '#db/schema.ts';
import { withoutCode } from './code-message.domain.ts';
import type { CountAttempt } from './count-attempts.ts';
import { NO_CLEAR_TEXT, type NotificationContent, type SealedNotifications } from './sealed-notifications.ts';
import { type SendEmail, type SendSms, SMS_CONNECTIONS } from './senders.ts';

export interface DeliverDeps {
  db: Db;
  logger: Logger;
  now: () => Date;
  sealed: SealedNotifications;
  countAttempt: CountAttempt;
  /** Undefined without credentials: then messages are stored for administrators to read. */
  sendEmail: SendEmail | undefined;
  sendSms: SendSms | undefined;
}

interface Lane {
  name: string;
  channel: NotificationRow['channel'];
  hasCode: boolean;
  /** Messages that are sent at the same time. */
  batch: number;
}

/**
 * As many text messages are sent at once as there are connections: otherwise a code would wait behind messages that
 * queue for a connection, and their leases might expire.
 */
const BATCH: Record<Lane['channel'], number> = { email: 20, sms: SMS_CONNECTIONS };

/**
 * People wait for codes, and a code lives for minutes: separate lanes keep codes ahead of a backlog of other messages,
 * and of the other channel.
 */
export const LANES: readonly Lane[] = (['sms', 'email'] as const).flatMap((channel) => [
  { name: `codes by ${channel}`, channel, hasCode: true, batch: BATCH[channel] },
  { name: `notifications by ${channel}`, channel, hasCode: false, batch: BATCH[channel] },
]);

const EVERY_MS = 2_000;
/** After this many attempts a message with a code has failed, since its code has expired; any other fails once it is a day old. */
const LEAST_ATTEMPTS = 6;
/** Longer than a sender's timeout. */
const LEASE_MS = 60_000;
const FIRST_BACKOFF_MS = 30_000;
const LONGEST_BACKOFF_MS = 3_600_000;

/** A loop for each lane, so that a server that does not answer holds back only its own. */
export function deliveryParts(deps: DeliverDeps): Part[] {
  return LANES.map((lane) =>
    pollingPart({
      name: lane.name,
      everyMs: EVERY_MS,
      logger: deps.logger,
      run: () => deliverNotifications(deps, lane),
    }),
  );
}

/**
 * Sends the messages of a lane that are due. A message is claimed before it is sent, so that two processes do not both
 * send it. A message claimed by a process that died is sent again, and may then arrive twice.
 */
export async function deliverNotifications(deps: DeliverDeps, lane: Lane): Promise<void> {
  for (;;) {
    const claimed = await claimDue(deps, lane);
    await Promise.all(claimed.map((notification) => deliver(deps, notification)));
    if (claimed.length < lane.batch) return;
  }
}

async function claimDue({ db, now }: DeliverDeps, { channel, hasCode, batch }: Lane): Promise<NotificationRow[]> {
  const leasedUntil = new Date(now().getTime() + LEASE_MS);
  // A message in clear text keeps its due time where processes of the previous release look for it.
  const { rows } = await sql<NotificationRow>`
    update notifications set attempts = attempts + 1,
      due_at = case when sealed is not null then ${leasedUntil}::timestamptz end,
      next_attempt_at = case when sealed is null then ${leasedUntil}::timestamptz end
    where id in (
      select id from notifications
      where status = 'pending' and channel = ${channel} and has_code = ${hasCode}
        and coalesce(due_at, next_attempt_at) <= ${now()}
      order by coalesce(due_at, next_attempt_at) limit ${batch} for update skip locked)
    returning *`.execute(db);
  return rows;
}

/** The codes of a failure, for the log. Its message is not logged, because mail servers repeat the address in it. */
function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}

/** When a message that could not be sent is tried again; null once it has failed. */
function nextAttempt({ attempts, has_code, created_at }: NotificationRow, now: Date): Date | null {
  const isLate = has_code || now.getTime() - created_at.getTime() >= DAY_MS;
  if (isLate && attempts >= LEAST_ATTEMPTS) return null;
  return new Date(now.getTime() + Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS));
}

async function deliver(deps: DeliverDeps, row: NotificationRow) {
  const { id, channel, attempts } = row;
  const content = deps.sealed.open(row);
  const { recipient, subject, body } = content;
  const redacted = row.has_code ? { subject: subject && withoutCode(subject), body: withoutCode(body) } : {};
  const send =
    channel === 'email'
      ? deps.sendEmail && (() => deps.sendEmail?.({ to: recipient, subject: subject ?? '', text: body }))
      : deps.sendSms && (() => deps.sendSms?.({ to: recipient, text: body }));
  const settle = (
    values: Partial<Pick<NotificationRow, 'status' | 'sent_at' | 'due_at'>>,
    changed: Partial<NotificationContent>,
  ) => {
    const sealed = deps.sealed.seal(row, { ...content, ...changed });
    return deps.db
      .updateTable('notifications')
      .set({ ...NO_CLEAR_TEXT, ...values, sealed })
      .where('id', '=', id)
      .execute();
  };
  if (!send) {
    await settle({ status: 'kept', due_at: null }, {});
    return;
  }
  try {
    await send();
  } catch (error) {
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    deps.logger.warn({ notification: id, channel, attempts, ...codesOf(error) }, 'a notification could not be sent');
    // Counted once per message, since one to an unknown address is tried for a day.
    if (attempts === 1) deps.countAttempt({ channel, result: 'failed' });
    const due_at = nextAttempt(row, deps.now());
    await settle({ status: due_at ? 'pending' : 'failed', due_at }, { lastError, ...(due_at ? {} : redacted) });
    return;
  }
  deps.countAttempt({ channel, result: 'sent' });
  await settle({ status: 'sent', sent_at: deps.now(), due_at: null }, { lastError: null, ...redacted });
}
