import { i18n } from '#shared/i18n/i18n.ts';

/** The names of the limits, as administrators read them. */
export const LIMIT_NAMES = i18n('admin/limit-names', {
  perTransaction: 'Per transaction',
  perDay: 'Sent per day',
  perMonth: 'Sent per month',
  perDayIn: 'Received per day',
  perMonthIn: 'Received per month',
});
