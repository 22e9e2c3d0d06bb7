import { CodeResults } from '@vuka/contracts/internal/identity';
import {
  CODE_ISSUED,
  CodeIssued,
  EMAIL_TAKEN,
  EmailTaken,
  PHONE_LOST,
  PhoneLost,
  PIN_CHANGED,
  PinChanged,
  SIGNED_IN,
  SignedIn,
} from '@vuka/contracts/messages/identity';
import { TransferChanged } from '@vuka/contracts/messages/transfers';
import { AppError } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import { uuidv7 } from '@vuka/service-kit/ids';
import { claimPart } from '@vuka/service-kit/inbox';
import type { Disposition, MessageHandler } from '@vuka/service-kit/messaging/message-bus';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { codeMessages } from './code-message.domain.ts';
import { findContacts } from './find-contacts.ts';
import { type House, type Message, messagesTo, notificationsOf, type Occurrence } from './notification.domain.ts';
import { NO_CLEAR_TEXT, type SealedNotifications } from './sealed-notifications.ts';
import { withinSmsShare } from './sms-share.ts';

export const NOTIFICATIONS_QUEUE = 'admin.notifications';

export interface RecordDeps {
  db: Db;
  identity: Pick<ServiceClient, 'post'>;
  now: () => Date;
  sealed: SealedNotifications;
  /** The address of the web app, for links. */
  publicUrl: string;
  /** Which channels have a sender; the messages of the others are stored as `kept`. */
  canSend: Record<Message['channel'], boolean>;
}

/**
 * The pace for notifications of transfers, which are less urgent than the transfers. People wait for the others, such
 * as codes.
 */
const PACE_MS = 1_000;

interface Event {
  id: string;
  occurrence: Occurrence | { kind: 'code'; data: CodeIssued };
}

/** Writes the notifications of an event, by the switches at that time; they are sent later, separately. */
export function createNotificationRecorder(deps: RecordDeps): MessageHandler {
  const lane = (paceMs: number) =>
    createBatcher<Event, undefined>({
      paceMs,
      async run(batch) {
        // A batch may contain a redelivery of one of its own messages.
        await record(deps, [...new Map(batch.map((event) => [event.id, event])).values()]);
        return batch.map(() => undefined);
      },
    });
  const [urgent, ofTransfers] = [lane(0), lane(PACE_MS)];
  return async ({ envelope }): Promise<Disposition> => {
    const occurrence = readOccurrence(envelope.type, envelope.data);
    if (!occurrence) return { kind: 'dead', reason: 'not an event with notifications' };
    try {
      const events = occurrence.kind === 'transfer' ? ofTransfers : urgent;
      await events.submit({ id: envelope.id, occurrence });
      return { kind: 'ack' };
    } catch (error) {
      // Anything else is thrown: the consumer holds the message while the database is unavailable.
      if (error instanceof AppError) return { kind: 'retry', reason: String(error) };
      throw error;
    }
  };
}

/** How the data of each type of event is read; all other types are transfers. */
const READERS = {
  [CODE_ISSUED]: { kind: 'code', data: CodeIssued },
  [EMAIL_TAKEN]: { kind: 'email_taken', data: EmailTaken },
  [PHONE_LOST]: { kind: 'phone_lost', data: PhoneLost },
  [PIN_CHANGED]: { kind: 'pin_changed', data: PinChanged },
  [SIGNED_IN]: { kind: 'signed_in', data: SignedIn },
} as const;
const TRANSFER = { kind: 'transfer', data: TransferChanged } as const;

function readOccurrence(type: string, data: unknown): Event['occurrence'] | undefined {
  const { kind, data: schema } = Object.hasOwn(READERS, type) ? READERS[type as keyof typeof READERS] : TRANSFER;
  const read = schema.safeParse(data);
  return read.success ? ({ kind, data: read.data } as Event['occurrence']) : undefined;
}

async function record(deps: RecordDeps, events: readonly Event[]): Promise<void> {
  const row = await deps.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  const settings = {
    emailNotifications: row.email_notifications,
    smsNotifications: row.sms_notifications,
    loginAlerts: row.login_alerts,
    transactionAlerts: row.transaction_alerts,
  };
  const house: House = { systemName: row.system_name, supportEmail: row.support_email };
  const notifications = events.flatMap(({ id, occurrence }) =>
    occurrence.kind === 'code' ? [] : notificationsOf(occurrence, settings, house).map((one) => ({ eventId: id, one })),
  );
  const contacts = await findContacts(
    deps.identity,
    notifications.map(({ one }) => one.userId),
  );
  const messages = notifications.flatMap(({ eventId, one }) => {
    const contact = contacts.get(one.userId);
    if (!contact) return [];
    return messagesTo(one, contact, settings, house).map((message) => ({ eventId, message }));
  });
  const sent = await withinSmsShare(deps.db, messages, deps.now());
  await write(deps, events, [...sent, ...(await messagesWithCodes(deps, events, house))]);
}

/** An expired code is not sent. */
async function messagesWithCodes({ identity, publicUrl }: RecordDeps, events: readonly Event[], house: House) {
  const issued = events.flatMap(({ id, occurrence }) =>
    occurrence.kind === 'code' ? [{ eventId: id, issue: occurrence.data }] : [],
  );
  if (issued.length === 0) return [];
  const items = issued.map(({ issue }) => ({ codeId: issue.codeId }));
  const { results } = await identity.post('/internal/codes-batch', { items }, CodeResults);
  return issued.flatMap(({ eventId, issue }, index) => {
    const code = results[index];
    if (!code) return [];
    return codeMessages(issue, code, { ...house, publicUrl }).map((message) => ({ eventId, message }));
  });
}

/** Writes the messages of the events that are new, in one statement. */
async function write(
  { db, now, sealed, canSend }: RecordDeps,
  events: readonly Event[],
  messages: readonly { eventId: string; message: Message }[],
): Promise<void> {
  const createdAt = now();
  const rows = messages.map(
    ({ eventId, message: { userId, channel, hasCode = false, isAboutAccess: _, ...content } }) => {
      const id = uuidv7();
      const isSent = canSend[channel];
      const sealedContent = sealed.seal({ id }, { ...content, lastError: null });
      return { id, eventId, userId, channel, hasCode, isSent, sealedContent };
    },
  );
  const column = <Value>(of: (row: (typeof rows)[number]) => Value) => rows.map(of);
  const ids = events.map(({ id }) => id);
  const { recipient, body } = NO_CLEAR_TEXT;
  await sql`
    with fresh as (${claimPart(NOTIFICATIONS_QUEUE, ids)})
    insert into notifications (id, event_id, user_id, channel, has_code, status, due_at, created_at, sealed, recipient, body)
    select id, event_id::uuid, user_id, channel, has_code, case when is_sent then 'pending' else 'kept' end,
      case when is_sent then ${createdAt}::timestamptz end, ${createdAt}, sealed, ${recipient}, ${body}
    from unnest(${column(({ id }) => id)}::uuid[], ${column(({ eventId }) => eventId)}::text[],
      ${column(({ userId }) => userId)}::uuid[], ${column(({ channel }) => channel)}::text[],
      ${column(({ hasCode }) => hasCode)}::boolean[], ${column(({ isSent }) => isSent)}::boolean[],
      ${column(({ sealedContent }) => sealedContent)}::bytea[])
      as message(id, event_id, user_id, channel, has_code, is_sent, sealed)
    where event_id in (select message_id from fresh)`.execute(db);
}
