import type { PayoutFailure } from '#payouts/payout-provider.ts';

/** The sentence that the sender reads when a payout has failed. */
export function explainFailure(failure: PayoutFailure): string {
  switch (failure.class) {
    case 'recipient':
      return 'The mobile network does not know this number.';
    case 'limit':
      return "The recipient's mobile wallet cannot take this amount.";
    case 'provider_down':
      return 'The mobile network is closed at the moment.';
    case 'validation':
      return 'The mobile network refused this transfer.';
    case 'cancelled':
      return 'The transfer was cancelled before it was paid.';
    case 'config':
    case 'float':
    case 'unspecified':
      return 'The mobile network could not pay the recipient.';
  }
}
