import { params } from '@nanostores/i18n';
import type { ReceiptTransaction } from '#shared/api/receipts.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { statusView } from '#shared/status-view.ts';
import { isOwnMoney } from './transaction-view.ts';

const MESSAGES = i18n('delivery', { seconds: params('{count} s'), minutes: params('{count} min') });

const LONGEST_NAMED_MS = 60 * 60_000;

/** Whether the sender's own transfer to a phone was paid. */
export function isDelivered(receipt: ReceiptTransaction): boolean {
  const isSent = receipt.type === 'transfer' && isOwnMoney(receipt) && Boolean(receipt.metadata?.recipientPhone);
  return isSent && statusView(receipt.status, 'receipt').tone === 'green';
}

/** "4 s", "3 min": how long a final transfer took, which is not changed again. Undefined from an hour on. */
export function deliveryTime({ created_at, updated_at }: ReceiptTransaction): string | undefined {
  const tookMs = Date.parse(updated_at) - Date.parse(created_at);
  if (!(tookMs >= 0 && tookMs < LONGEST_NAMED_MS)) return undefined;
  const t = MESSAGES.get();
  const seconds = Math.max(1, Math.round(tookMs / 1_000));
  return seconds < 60 ? t.seconds({ count: seconds }) : t.minutes({ count: Math.round(seconds / 60) });
}
