import type { Note } from '@vuka/contracts/texts/transfer-notes';
import type { PayoutFailure } from '#payouts/payout-provider.ts';

/** The note that the sender reads when a payout has failed. */
export function explainFailure(failure: PayoutFailure): Note {
  switch (failure.class) {
    case 'recipient':
      return [{ code: 'number_unknown' }];
    case 'limit':
      return [{ code: 'amount_above_recipient_limit' }];
    case 'provider_down':
      return [{ code: 'network_closed' }];
    case 'validation':
      return [{ code: 'network_refused' }];
    case 'cancelled':
      return [{ code: 'cancelled' }];
    case 'config':
    case 'float':
    case 'unspecified':
      return [{ code: 'not_paid' }];
  }
}
