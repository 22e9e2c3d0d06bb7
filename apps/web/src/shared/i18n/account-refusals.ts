import { ACCOUNT_RULES } from '@vuka/contracts/texts/account-rules';
import { i18n } from './i18n.ts';
import { addRefusalTexts } from './refusal-texts.ts';

// Rules of linked accounts and withdrawals, added when one of their pages loads.
addRefusalTexts(i18n('account-refusals', ACCOUNT_RULES));
