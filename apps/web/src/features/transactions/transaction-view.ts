import { params } from '@nanostores/i18n';
import { corridorOf, DIRECTIONS } from '@vuka/money/directions';
import type { ReceiptTransaction } from '#shared/api/receipts.api.ts';
import type { TransactionItem } from '#shared/api/transactions.api.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { formatInverse, formatRate } from '#shared/format/rate.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { systemName } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { statusView } from '#shared/status-view.ts';

export type AmountSign = '+' | '-' | '';

type SignFacts = Pick<TransactionItem, 'sourceCurrency' | 'targetCurrency' | 'direction' | 'recipientPhone'> & {
  metadata: { isAdminCredit?: boolean; transactionType?: 'CREDIT' | 'DEBIT' } | null;
};

/** The direction of the money, seen from the user's wallet. */
export function amountSign(item: SignFacts): AmountSign {
  if (item.metadata?.isAdminCredit || item.metadata?.transactionType === 'CREDIT') return '+';
  if (item.metadata?.transactionType === 'DEBIT') return '-';
  if (item.sourceCurrency === item.targetCurrency) return item.recipientPhone === 'ADMIN' ? '+' : '';
  return item.direction?.startsWith(item.sourceCurrency) ? '-' : '+';
}

/** Green for money in, red for money out. */
export function signColour(sign: AmountSign): 'green' | 'red' | 'plain' {
  if (sign === '+') return 'green';
  return sign === '-' ? 'red' : 'plain';
}

/** "-25,000 KES": the amount that left the wallet, or the amount that reached it. */
export function signedAmount(item: TransactionItem): string {
  const sign = amountSign(item);
  const amount =
    sign === '+'
      ? formatAmount(item.targetAmount, item.targetCurrency)
      : formatAmount(item.sourceAmount, item.sourceCurrency);
  return sign + amount;
}

const currenciesText = (source: string, target: string): string => `${source} → ${target}`;

const TEXTS = new Map<string | null, string>(
  DIRECTIONS.map((direction) => {
    const { source, target } = corridorOf(direction);
    return [direction, currenciesText(source, target)];
  }),
);

const LIST_MESSAGES = i18n('transaction-counterparty', {
  credit: params('Credit from {system}'),
  received: 'Received from a merchant',
  to: params('to {recipient}'),
  withdrawal: 'Withdrawal',
});

/** The other side of a transaction in a list: "to Baraka Mushi", "to +255 763 456 789", "Credit from Vuka". */
export function counterpartyText(item: TransactionItem, savedName?: string): string {
  const t = LIST_MESSAGES.get();
  const { recipientPhone: phone, metadata } = item;
  if (metadata.isAdminCredit || phone === 'ADMIN') return t.credit({ system: systemName() });
  if (amountSign(item) === '+') return t.received;
  return phone ? t.to({ recipient: savedName ?? unbroken(formatPhone(phone)) }) : t.withdrawal;
}

export function directionText(direction: string | null, sourceCurrency: string, targetCurrency: string): string {
  return TEXTS.get(direction) ?? currenciesText(sourceCurrency, targetCurrency);
}

/** Whether the money is, or was, the reader's own: only its owner receives the client transaction id. */
export function isOwnMoney({ type, metadata }: Pick<ReceiptTransaction, 'type' | 'metadata'>): boolean {
  return type !== 'deposit' && metadata?.clientTransactionId !== null;
}

/** As `directionText`; a withdrawal keeps its currency, which is named once. */
export function receiptDirectionText({ type, direction, ...receipt }: ReceiptTransaction): string {
  const { source_currency: source, target_currency: target } = receipt;
  return type === 'withdrawal' ? source : directionText(direction, source, target);
}

/** The recipient: a phone, or a withdrawal's bank account masked except for its last digits. */
export function recipientText({ metadata }: ReceiptTransaction): string {
  const { recipientPhone: phone, recipientAccount: account, recipientName: name } = metadata ?? {};
  if (phone) return formatPhone(phone);
  return account ? [name, account].filter(Boolean).join(', ') : RECEIPT_MESSAGES.get().recipientPending;
}

export const RECEIPT_MESSAGES = i18n('receipt-text', {
  title: params('{system} receipt'),
  id: 'Transaction ID',
  sent: 'Amount Sent',
  received: 'Amount Received',
  rate: 'Exchange Rate',
  rateUnavailable: 'Rate calculation unavailable',
  fee: 'Fee',
  direction: 'Direction',
  recipient: 'Recipient Info',
  recipientPending: 'Pending...',
  status: 'Status',
  date: 'Date',
  verify: 'Verify',
});

type RateFacts = Pick<
  ReceiptTransaction,
  'source_amount' | 'target_amount' | 'source_currency' | 'target_currency' | 'exchange_rate'
>;

function receiptRate(receipt: RateFacts): number | undefined {
  const source = Number(receipt.source_amount);
  const target = Number(receipt.target_amount);
  const rate = receipt.exchange_rate === null ? target / source : Number(receipt.exchange_rate);
  return source > 0 && target > 0 && Number.isFinite(rate) && rate > 0 ? rate : undefined;
}

/** "1 KES = 23.03 TZS": two decimals on the receipt. */
export function receiptRateText(receipt: RateFacts): string {
  const rate = receiptRate(receipt);
  return rate === undefined
    ? RECEIPT_MESSAGES.get().rateUnavailable
    : formatRate(receipt.source_currency, receipt.target_currency, rate, 2);
}

/** The inverse rate, where two decimals are not precise enough to check the amounts. */
export function inverseRateText(receipt: RateFacts): string | undefined {
  const rate = receiptRate(receipt);
  if (rate === undefined || rate >= 1 || receipt.source_currency === receipt.target_currency) return undefined;
  return formatInverse(receipt.source_currency, receipt.target_currency, rate);
}

/** The receipt as plain text, for sharing. With `verifyUrl` the receiver can verify it. */
export function receiptText(receipt: ReceiptTransaction, verifyUrl?: string): string {
  const t = RECEIPT_MESSAGES.get();
  return [
    t.title({ system: systemName() }),
    `${t.id}: ${receipt.id}`,
    `${t.sent}: ${formatAmount(receipt.source_amount, receipt.source_currency)}`,
    `${t.received}: ${formatAmount(receipt.target_amount, receipt.target_currency)}`,
    `${t.status}: ${statusView(receipt.status, 'receipt').text}`,
    `${t.date}: ${formatDayAndTime(receipt.created_at)}`,
    ...(verifyUrl ? [`${t.verify}: ${verifyUrl}`] : []),
  ].join('\n');
}
