import { SettingsChanged } from '@vuka/contracts/messages/settings';
import { parseMoney } from '@vuka/money';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export const SETTINGS_QUEUE = 'transfers.settings';

/** The amounts, in minor units, above which withdrawals need approval. */
export async function findApprovalLimits(db: Db): Promise<{ KES: bigint; TZS: bigint }> {
  const row = await db.selectFrom('withdrawal_limits').select(['kes', 'tzs']).executeTakeFirstOrThrow();
  return { KES: row.kes, TZS: row.tzs };
}

/**
 * Stores the limits from the system settings. The time of the change makes this safe to repeat and to apply out of
 * order.
 */
export async function applySettings(db: Db, { envelope }: Delivery): Promise<Disposition> {
  const settings = SettingsChanged.safeParse(envelope.data);
  if (!settings.success) return { kind: 'dead', reason: 'not a settings event' };
  const limit = settings.data.withdrawalApprovalLimit;
  if (!limit) return { kind: 'ack' };
  const changed_at = new Date(envelope.time);
  await db
    .updateTable('withdrawal_limits')
    .set({ kes: parseMoney(limit.KES), tzs: parseMoney(limit.TZS), changed_at })
    .where('changed_at', '<', changed_at)
    .execute();
  return { kind: 'ack' };
}
