import { SECURITY_RULES } from '@vuka/contracts/texts/security-rules';
import { i18n } from './i18n.ts';
import { addRefusalTexts } from './refusal-texts.ts';

// Rules of one-time codes and new PINs, added when one of their forms loads.
addRefusalTexts(i18n('security-refusals', SECURITY_RULES));
