import { i18n } from '#shared/i18n/i18n.ts';
import { addSentences } from '#shared/i18n/sentences.ts';

// The contract's error messages about periods, registered when the statement page loads.
addSentences({
  name: 'statement-sentences',
  messages: i18n('statement-sentences', {
    statementDates: 'Dates must be written as YYYY-MM-DD',
    statementLong: 'A statement covers 12 months at most',
    statementOrder: 'The first day must not be after the last',
  }),
});
