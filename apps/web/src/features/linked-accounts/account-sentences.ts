import { i18n } from '#shared/i18n/i18n.ts';
import { addSentences } from '#shared/i18n/sentences.ts';

// What the contracts and services say of linked accounts: known on the pages that deal with them.
addSentences({
  name: 'account-sentences',
  messages: i18n('account-sentences', {
    accountNameShort: 'Account name must be at least 3 characters',
    bankNameShort: 'Bank name must be at least 3 characters',
    accountNumberInvalid: 'Account number must be 5 to 34 letters, digits or dashes',
    branchCodeInvalid: 'Branch code must be 2 to 20 letters, digits or dashes',
    swiftCodeInvalid: 'SWIFT code must be 8 or 11 capital letters or digits',
    accountsFull: 'You can link at most {count} accounts. Remove one that you do not use.',
    accountKnown: 'This account is linked already.',
    accountMissing: 'Linked account not found',
  }),
});
