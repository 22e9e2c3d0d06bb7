import type { Keyring } from '@vuka/service-kit/keyring';
import { createSealedRows, type SealedRows } from '@vuka/service-kit/sealed-rows';
import { sql } from 'kysely';
import type { NotificationRow } from '#db/schema.ts';

/** What is encrypted of a message. */
export interface NotificationContent {
  /** The email address or phone number. */
  recipient: string;
  subject: string | null;
  body: string;
  /** Mail servers repeat the address in their errors. */
  lastError: string | null;
}

export type SealedNotifications = SealedRows<NotificationRow, NotificationContent>;

/** The clear text that is written beside a sealed content. */
export const NO_CLEAR_TEXT = { recipient: '', subject: null, body: '', last_error: null, next_attempt_at: null };

export function createSealedNotifications(keyring: Keyring): SealedNotifications {
  return createSealedRows<NotificationRow, NotificationContent>(
    {
      table: 'notifications',
      key: ['id'],
      clear: ({ recipient, subject, body, last_error }) => ({ recipient, subject, body, lastError: last_error }),
      erase: sql`recipient = '', subject = null, body = '', last_error = null, next_attempt_at = null`,
      // A process of the previous release may be sending it.
      isSettled: sql`status <> 'pending'`,
    },
    keyring,
  );
}
