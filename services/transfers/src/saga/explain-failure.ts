import type { PayoutFailure } from '#payouts/payout-provider.ts';
import { BEING_RETURNED } from './transfer.domain.ts';

/** What the sender reads when a payout has failed. */
export function explainFailure(failure: PayoutFailure): string {
  switch (failure.class) {
    case 'recipient':
      return `The mobile network does not know this number. ${BEING_RETURNED}`;
    case 'limit':
      return `The recipient's mobile wallet cannot take this amount. ${BEING_RETURNED}`;
    case 'provider_down':
      return `The mobile network is closed at the moment. ${BEING_RETURNED}`;
    case 'validation':
      return `The mobile network refused this transfer. ${BEING_RETURNED}`;
    case 'cancelled':
      return `The transfer was cancelled before it was paid. ${BEING_RETURNED}`;
    case 'config':
    case 'float':
    case 'unspecified':
      return `The mobile network could not pay the recipient. ${BEING_RETURNED}`;
  }
}
