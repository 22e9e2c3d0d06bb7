import { i18n } from '#shared/i18n/i18n.ts';

export const ROLE_NAMES = i18n('admin/role-names', {
  owner: 'Owner: everything',
  finance: 'Finance: money and prices',
  support: 'Support: merchants',
  operations: 'Operations: queues and recovery',
  auditor: 'Auditor: reads only',
});
