import { SettingsChanged } from '@vuka/contracts/messages/settings';
import { claimInbox } from '@vuka/service-kit/inbox';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export const SETTINGS_QUEUE = 'identity.settings';

/** Takes over the system settings that sessions and PINs follow. */
export async function applySettings(db: Db, delivery: Delivery): Promise<Disposition> {
  const settings = SettingsChanged.safeParse(delivery.envelope.data);
  if (!settings.success) return { kind: 'dead', reason: 'not a settings event' };
  const { maxPinAttempts, autoLogoutMinutes } = settings.data;
  await db.transaction().execute(async (trx) => {
    const fresh = await claimInbox(trx, SETTINGS_QUEUE, [delivery.envelope.id]);
    if (fresh.size === 0) return;
    await trx
      .updateTable('settings')
      .set({ max_pin_attempts: maxPinAttempts, auto_logout_minutes: autoLogoutMinutes })
      .execute();
  });
  return { kind: 'ack' };
}
