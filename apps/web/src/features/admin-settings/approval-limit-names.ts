import { params } from '@nanostores/i18n';
import { i18n } from '#shared/i18n/i18n.ts';

/** One name for each approval limit, in the form and in a proposal. */
export const APPROVAL_LIMIT_NAMES = i18n('admin/approval-limit-names', {
  withdrawal: params('Withdrawals need approval above ({currency})'),
  credit: params('Credits in 24 hours need a second administrator above ({currency})'),
  deposit: params('Deposits in 24 hours need a second administrator above ({currency})'),
});
