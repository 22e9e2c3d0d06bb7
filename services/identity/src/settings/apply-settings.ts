import { SettingsChanged } from '@vuka/contracts/messages/settings';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export const SETTINGS_QUEUE = 'identity.settings';

/** Stores the system settings for sessions and PINs. The time of the change makes this safe to repeat and reorder. */
export async function applySettings(db: Db, { envelope }: Delivery): Promise<Disposition> {
  const settings = SettingsChanged.safeParse(envelope.data);
  if (!settings.success) return { kind: 'dead', reason: 'not a settings event' };
  const { maxPinAttempts, autoLogoutMinutes } = settings.data;
  const changed_at = new Date(envelope.time);
  await db
    .updateTable('settings')
    .set({ max_pin_attempts: maxPinAttempts, auto_logout_minutes: autoLogoutMinutes, changed_at })
    .where('changed_at', '<', changed_at)
    .execute();
  return { kind: 'ack' };
}
