import { useStore } from '@nanostores/react';
import { LimitTable } from '#features/admin-limits/limit-table.tsx';
import { TierLimitProposals } from '#features/admin-limits/tier-limit-proposals.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/limits-page', {
  title: 'Limits',
  description: 'What merchants may send and receive. Transfers and withdrawals count together.',
});

export function LimitsPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <TierLimitProposals />
      <LimitTable />
    </AdminPage>
  );
}
