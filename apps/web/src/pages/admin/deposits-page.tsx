import { useStore } from '@nanostores/react';
import { DepositForm } from '#features/admin-deposits/deposit-form.tsx';
import { DepositHistory } from '#features/admin-deposits/deposit-history.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/deposits-page', {
  title: 'Admin Deposits',
  description: 'Put money into your own account. Each deposit needs your PIN and gets a reference.',
});

export function DepositsPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title} description={t.description}>
      {mayDo('deposits.make') ? <DepositForm /> : null}
      <DepositHistory />
    </AdminPage>
  );
}
