import type { CloudEvent } from '@vuka/contracts/cloud-event';
import {
  TRANSFER_CREATED,
  TRANSFER_FAILED,
  TRANSFER_PROCESSING,
  TRANSFER_SETTLED,
  TRANSFER_WAITING,
  type TransferChanged,
} from '@vuka/contracts/messages/transfers';
import { formatMoney } from '@vuka/money';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import type { TransferRow } from '#db/schema.ts';
import { statusOf, statusReasonOf, type TransferState, waitingReasonOf } from './transfer.domain.ts';
import { stateOf } from './transfer-state.ts';

export function createdEvent(transfer: TransferRow): CloudEvent {
  return toEvent(TRANSFER_CREATED, { ...transfer, version: 0 }, stateOf(transfer), transfer.created_at);
}

export function changedEvent(transfer: TransferRow, state: TransferState, at: Date): CloudEvent {
  return toEvent(typeOf(state), transfer, state, at);
}

function typeOf(state: TransferState): string {
  if (waitingReasonOf(state) !== null) return TRANSFER_WAITING;
  switch (state.step) {
    case 'settled':
      return TRANSFER_SETTLED;
    case 'failed':
    case 'cancelled':
      return TRANSFER_FAILED;
    default:
      return TRANSFER_PROCESSING;
  }
}

function toEvent(type: string, transfer: TransferRow, state: TransferState, at: Date): CloudEvent {
  return cloudEvent(
    {
      source: '/vuka/transfers',
      type,
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
    status: statusOf(state),
    reason: statusReasonOf(state),
    userId: transfer.user_id,
    recipientUserId: transfer.recipient_user_id,
    sourceAmount: formatMoney(transfer.source_amount),
    sourceCurrency: transfer.source_currency,
    targetAmount: formatMoney(transfer.target_amount),
    targetCurrency: transfer.target_currency,
    at: at.toISOString(),
  };
}
