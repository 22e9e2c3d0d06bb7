import { useStore } from '@nanostores/react';
import { OverviewCards } from '#features/admin-overview/overview-cards.tsx';
import { TransferCharts } from '#features/admin-overview/transfer-charts.tsx';
import { LedgerAuditCard } from '#features/ledger-audit/ledger-audit-card.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/overview-page', { title: 'Admin Dashboard' });

export function OverviewPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title}>
      <OverviewCards />
      <TransferCharts />
      {mayDo('ledger.read') ? <LedgerAuditCard /> : null}
    </AdminPage>
  );
}
