import { ADMIN_RULES } from '@vuka/contracts/texts/admin-rules';
import { i18n } from '#shared/i18n/i18n.ts';
import { addRefusalTexts } from '#shared/i18n/refusal-texts.ts';

// Reasons that only administrators see, added when the admin area loads.
addRefusalTexts(i18n('admin/refusals', ADMIN_RULES));
