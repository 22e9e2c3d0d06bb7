import { STATEMENT_RULES } from '@vuka/contracts/texts/statement-rules';
import { i18n } from '#shared/i18n/i18n.ts';
import { addRefusalTexts } from '#shared/i18n/refusal-texts.ts';

// Rules of a statement's period, added when the statement page loads.
addRefusalTexts(i18n('statement-refusals', STATEMENT_RULES));
