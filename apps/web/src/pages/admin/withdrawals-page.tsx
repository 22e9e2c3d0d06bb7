import { useStore } from '@nanostores/react';
import { WithdrawalQueue } from '#features/admin-withdrawals/withdrawal-queue.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/withdrawals-page', {
  title: 'Withdrawals',
  description: 'Withdrawals above the limit, and all to banks, wait here for a decision. Their money is reserved.',
});

export function WithdrawalsPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <WithdrawalQueue />
    </AdminPage>
  );
}
