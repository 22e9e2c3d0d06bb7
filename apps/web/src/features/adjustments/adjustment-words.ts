import { i18n } from '#shared/i18n/i18n.ts';

/** The names of the kinds of adjustments and of the operator's accounts. */
export const ADJUSTMENT_WORDS = i18n('admin/adjustment-words', {
  float_top_up: 'Float top-up',
  provider_fee: 'Provider’s fee',
  loss: 'Loss',
  correction: 'Correction',
  funding: 'Bank',
  'payout-clearing': 'Float with the provider',
  fx: 'Exchange',
  fees: 'Fees earned',
  margin: 'Margin earned',
  'provider-fees': 'Provider’s fees paid',
  losses: 'Losses',
});
