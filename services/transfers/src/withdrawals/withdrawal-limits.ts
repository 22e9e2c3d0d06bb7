import { SettingsChanged } from '@vuka/contracts/messages/settings';
import { parseMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { Delivery, Disposition } from '@vuka/service-kit/messaging/message-bus';
import type { Db } from '#db/schema.ts';

export const SETTINGS_QUEUE = 'transfers.settings';

/** The amounts, in minor units, above which withdrawals need approval. */
export async function findApprovalLimits(db: Db): Promise<Record<WalletCurrency, bigint>> {
  const row = await db
    .selectFrom('withdrawal_limits')
    .select(WALLET_CURRENCIES.map(columnOf))
    .executeTakeFirstOrThrow();
  return byCurrency(WALLET_CURRENCIES, (currency) => row[columnOf(currency)]);
}

const columnOf = (currency: WalletCurrency) => currency.toLowerCase() as Lowercase<WalletCurrency>;

/**
 * Stores the limits from the system settings. The time of the change makes this safe to repeat and to apply out of
 * order.
 */
export async function applySettings(db: Db, { envelope }: Delivery): Promise<Disposition> {
  const settings = SettingsChanged.safeParse(envelope.data);
  if (!settings.success) return { kind: 'dead', reason: 'not a settings event' };
  const limit = settings.data.withdrawalApprovalLimit;
  if (!limit) return { kind: 'ack' };
  const limits = Object.fromEntries(
    WALLET_CURRENCIES.map((currency) => [columnOf(currency), parseMoney(limit[currency])]),
  ) as Record<Lowercase<WalletCurrency>, bigint>;
  const changed_at = new Date(envelope.time);
  await db
    .updateTable('withdrawal_limits')
    .set({ ...limits, changed_at })
    .where('changed_at', '<', changed_at)
    .execute();
  return { kind: 'ack' };
}
