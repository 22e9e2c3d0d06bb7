import type { Receipt, TransactionListItem } from '@vuka/contracts/http/transfers';
import type { VerifiedReceipt } from '@vuka/contracts/http/verification';
import { maskName } from '@vuka/contracts/texts/mask-name';
import { formatMoney } from '@vuka/money';
import type { TransferRow } from '#db/schema.ts';
import { statusCodesOf } from '#saga/transfer-state.ts';

/** Shown as the recipient of an administrator's deposit or credit. */
const ADMIN_RECIPIENT = 'ADMIN';

export function toListItem(transfer: TransferRow, viewerId: string): TransactionListItem {
  return {
    ...summaryOf(transfer),
    exchangeRate: transfer.exchange_rate,
    direction: transfer.direction,
    recipientPhone: recipientPhone(transfer),
    metadata: kindOf(transfer, viewerId),
  };
}

/** A transfer in the stuck list, with its waiting reason. */
export function toStuckItem(transfer: TransferRow) {
  return {
    ...summaryOf(transfer),
    statusReason: transfer.waiting_reason,
    statusReasonCodes: transfer.waiting_reason === null ? undefined : statusCodesOf(transfer),
    recipientPhone: transfer.recipient_phone,
  };
}

/** The fields that every list of transfers shows. */
function summaryOf(transfer: TransferRow) {
  return {
    id: transfer.id,
    createdAt: transfer.created_at.toISOString(),
    updatedAt: transfer.updated_at.toISOString(),
    sourceAmount: formatMoney(transfer.source_amount),
    sourceCurrency: transfer.source_currency,
    targetAmount: formatMoney(transfer.target_amount),
    targetCurrency: transfer.target_currency,
    status: transfer.status,
  };
}

/** `bankAccount`: the masked account of a bank withdrawal. */
export function toReceipt(
  transfer: TransferRow,
  viewerId: string,
  bankAccount: string | null = null,
): Receipt['transaction'] {
  const { client_transaction_id: clientTransactionId } = transfer;
  return {
    id: transfer.id,
    type: transfer.transaction_type,
    created_at: transfer.created_at.toISOString(),
    updated_at: transfer.updated_at.toISOString(),
    source_amount: formatMoney(transfer.source_amount),
    source_currency: transfer.source_currency,
    target_amount: formatMoney(transfer.target_amount),
    target_currency: transfer.target_currency,
    exchange_rate: transfer.exchange_rate,
    fee: formatMoney(transfer.fee),
    direction: transfer.direction,
    status: transfer.status,
    status_reason: transfer.waiting_reason ?? transfer.error_message,
    status_reason_codes: statusCodesOf(transfer),
    metadata: {
      recipientPhone: recipientPhone(transfer),
      recipientName: recipientName(transfer, viewerId),
      recipientAccount: bankAccount,
      clientTransactionId: viewerId === transfer.user_id ? clientTransactionId : null,
      ...kindOf(transfer, viewerId),
    },
  };
}

/** Others see only the short name of a merchant who was paid at their number, as before the payment. */
function recipientName(transfer: TransferRow, viewerId: string): string | null {
  const { recipient_name: name, recipient_user_id: recipientId, transaction_type: type } = transfer;
  const isOfOther = type === 'transfer' && recipientId !== null && recipientId !== viewerId;
  return name && isOfOther ? maskName(name) : name;
}

/** The fields visible to anyone who has been shown the receipt. */
export function toVerifiedReceipt(transfer: TransferRow): VerifiedReceipt {
  const { updatedAt: _, ...summary } = summaryOf(transfer);
  return {
    ...summary,
    type: transfer.transaction_type,
    direction: transfer.direction,
    recipientPhone:
      transfer.recipient_phone?.replace(/\d(?=\d{3})/g, (digit, at: number) => (at < 4 ? digit : '•')) ?? null,
  };
}

function recipientPhone(transfer: TransferRow): string | null {
  return transfer.transaction_type === 'deposit' ? ADMIN_RECIPIENT : transfer.recipient_phone;
}

function kindOf(transfer: TransferRow, viewerId: string): TransactionListItem['metadata'] {
  const isAdminCredit = transfer.transaction_type === 'deposit';
  // Any other viewer, such as an administrator, sees it as the sender does.
  const isIncoming = isAdminCredit || viewerId === transfer.recipient_user_id;
  return { isAdminCredit, transactionType: isIncoming ? 'CREDIT' : 'DEBIT' };
}
