import { i18n } from './i18n.ts';
import { addSentences } from './sentences.ts';

// Messages of the contracts and services about linked accounts and withdrawals, registered when one of their pages
// loads.
addSentences({
  name: 'account-sentences',
  messages: i18n('account-sentences', {
    feeChanged: 'The fee has changed. Please confirm the new one.',
    accountNameShort: 'Account name must be at least 3 characters',
    bankNameShort: 'Bank name must be at least 3 characters',
    accountNumberInvalid: 'Account number must be 5 to 34 letters, digits or dashes',
    branchCodeInvalid: 'Branch code must be 2 to 20 letters, digits or dashes',
    swiftCodeInvalid: 'SWIFT code must be 8 or 11 capital letters or digits',
    accountsFull: 'You can link at most {count} accounts. Remove one that you do not use.',
    accountKnown: 'This account is linked already.',
    accountMissing: 'Linked account not found',
    accountToChoose: 'Please choose an account',
    carrierForeign: 'This carrier does not serve the country of this number',
    currencyForeign: 'This account is in {currency}',
  }),
});
