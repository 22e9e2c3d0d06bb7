import { useStore } from '@nanostores/react';
import { FeeForm } from '#features/admin-fees/fee-form.tsx';
import { FeeTable } from '#features/admin-fees/fee-table.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/fees-page', {
  title: 'Fees',
  description: 'What transfers and withdrawals cost on top of their amount. Amounts outside every fee are free.',
});

export function FeesPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title} description={t.description}>
      <FeeTable />
      {mayDo('fees.set') ? <FeeForm /> : null}
    </AdminPage>
  );
}
