import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, Timestamp } from './common.ts';

export const NotificationChannel = z.enum(['email', 'sms']);
/** `kept`: no delivery service is configured, so the message is stored, not sent. */
export const NotificationStatus = z.enum(['pending', 'sent', 'failed', 'kept']);

/** One message to one person, as an administrator sees it. */
export const Notification = z.object({
  id: Id,
  /** Shared by the messages about one event to one person. */
  occasion: z.optional(z.string()),
  createdAt: Timestamp,
  /**
   * The message is to an administrator, and the reader's role does not see administrators: recipient, subject, body and
   * last error are empty.
   */
  isWithheld: z.optional(z.boolean()),
  channel: NotificationChannel,
  recipient: z.string(),
  subject: z.nullable(z.string()),
  body: z.string(),
  status: NotificationStatus,
  attempts: z.int(),
  sentAt: z.nullable(Timestamp),
  lastError: z.nullable(z.string()),
});
export type Notification = z.infer<typeof Notification>;

/** `GET /api/admin/notifications`: newest first. */
export const Notifications = z.object({ notifications: z.array(Notification) });

export const NotificationQuery = z.object({
  channel: z.optional(NotificationChannel),
  status: z.optional(NotificationStatus),
  /** Only entries older than this one. */
  before: z.optional(z.uuid({ error: reason('cursor_invalid') })),
});
export type NotificationQuery = z.infer<typeof NotificationQuery>;
