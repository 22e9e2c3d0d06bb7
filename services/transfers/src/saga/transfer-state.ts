import type { TextCodes } from '@vuka/contracts/http/common';
import type { TransferRow } from '#db/schema.ts';
import type { TransferFailure } from '#db/states.ts';
import { failureTextOf, statusNoteOf, statusOf, type TransferState, waitingReasonOf } from './transfer.domain.ts';

type StateColumns = Pick<
  TransferRow,
  'step' | 'status' | 'waiting_reason' | 'error_code' | 'error_message' | 'failure'
>;

export function stateOf(transfer: Omit<StateColumns, 'status'>): TransferState {
  const { step, waiting_reason: waitingReason } = transfer;
  switch (step) {
    case 'created':
    case 'depositing':
    case 'approved':
    case 'paying_out':
    case 'capturing':
      return { step, waitingReason };
    case 'releasing':
      return { step, waitingReason, failure: failureIn(transfer) };
    case 'failed':
      return { step, failure: failureIn(transfer) };
    case 'awaiting_approval':
    case 'paying_by_hand':
    case 'settled':
    case 'cancelled':
      return { step };
  }
}

/** The codes of the reason for a transfer's status, if there is one and its release stored them. */
export function statusCodesOf(transfer: Omit<StateColumns, 'status'>): TextCodes | undefined {
  const note = statusNoteOf(stateOf(transfer));
  return note && [...note];
}

/** Rows written by the previous release have only the sentence, which already mentions the money. */
function failureIn({ failure, error_code: code, error_message: text }: Omit<StateColumns, 'status'>): TransferFailure {
  return failure ?? { kind: 'declined', code: code ?? 'unknown', reason: text ?? '' };
}

/** The columns for a state. `error_code` and `error_message` repeat the failure for people who read the table. */
export function stateColumnsOf(state: TransferState): StateColumns {
  const failure = 'failure' in state ? state.failure : null;
  return {
    step: state.step,
    status: statusOf(state),
    waiting_reason: waitingReasonOf(state),
    failure,
    error_code: failure?.code ?? null,
    error_message: failureTextOf(state),
  };
}
