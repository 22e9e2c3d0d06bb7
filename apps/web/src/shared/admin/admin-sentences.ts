import { i18n } from '#shared/i18n/i18n.ts';
import { addSentences } from '#shared/i18n/sentences.ts';

// Rules of the ledger and results of retries, registered when the admin area loads.
addSentences({
  name: 'admin/sentences',
  messages: i18n('admin/sentences', {
    journalsZero: 'Every journal sums to zero in each currency.',
    balanceIsSum: 'The balance of every account is the sum of its entries.',
    heldIsSum: 'What an account has held is the sum of its open holds.',
    noOverspend: 'No wallet holds or spends more than it has.',
    noGap: 'The entries of an account follow each other without a gap, each balance from the one before.',
    resultsKept: 'Every recorded result has the effect that was acknowledged, and no other.',
    oneResult: 'Each idempotency key has one result.',
    allZero: 'All accounts of a currency together are zero.',
    published: 'Every message of a commit is published within a minute.',
    retrySuperseded: 'superseded',
    retryEnded: 'ended as {status}',
    retryWithout: 'the transfer does not exist',
    retryPostponed: 'postponed: a required service is unavailable',
    retryWaiting: 'still waiting for the provider',
  }),
});
