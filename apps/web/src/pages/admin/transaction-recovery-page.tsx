import { useStore } from '@nanostores/react';
import { RetryGuidelines } from '#features/recovery/retry-guidelines.tsx';
import { StuckTransactions } from '#features/recovery/stuck-transactions.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/transaction-recovery-page', {
  title: 'Transaction Recovery',
  description: 'Transactions that have been open for too long. Their money is reserved, not lost.',
});

export function TransactionRecoveryPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <StuckTransactions />
      <RetryGuidelines />
    </AdminPage>
  );
}
