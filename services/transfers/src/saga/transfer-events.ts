import type { TransferChanged } from '@vuka/contracts/messages/transfers';
import { formatMoney } from '@vuka/money';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import type { TransferRow } from '#db/schema.ts';
import type { TransferState } from './transfer.domain.ts';

export function changedEvent(transfer: TransferRow, what: string, state: TransferState, at: Date) {
  return cloudEvent(
    {
      source: '/vuka/transfers',
      type: `transfer.${what}.v1`,
      subject: transfer.id,
      correlationid: transfer.id,
      sequence: transfer.version + 1,
      data: toTransferChanged(transfer, state, at),
    },
    at,
  );
}

function toTransferChanged(transfer: TransferRow, state: TransferState, at: Date): TransferChanged {
  return {
    transferId: transfer.id,
    type: transfer.transaction_type,
    status: state.status,
    reason: state.waitingReason ?? state.failure?.message ?? null,
    userId: transfer.user_id,
    recipientUserId: transfer.recipient_user_id,
    sourceAmount: formatMoney(transfer.source_amount),
    sourceCurrency: transfer.source_currency,
    targetAmount: formatMoney(transfer.target_amount),
    targetCurrency: transfer.target_currency,
    at: at.toISOString(),
  };
}
