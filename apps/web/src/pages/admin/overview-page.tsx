import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { MoneyFlow } from '#features/admin-overview/money-flow.tsx';
import { NeedsAttention } from '#features/admin-overview/needs-attention.tsx';
import { OverviewCards } from '#features/admin-overview/overview-cards.tsx';
import { TodayFigures } from '#features/admin-overview/today-figures.tsx';
import { TransferCharts } from '#features/admin-overview/transfer-charts.tsx';
import { LedgerAuditCard } from '#features/ledger-audit/ledger-audit-card.tsx';
import { reconciliationQuery } from '#features/reconciliation/reconciliation.api.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';
import { useAttention } from './use-attention.ts';

const MESSAGES = i18n('admin/overview-page', { title: 'Admin Dashboard' });

export function OverviewPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  const mayReconcile = mayDo('reconciliation.read');
  const { data: payouts, isError } = useQuery({ ...reconciliationQuery(), enabled: mayReconcile });
  const attention = useAttention();
  return (
    <AdminPage title={t.title}>
      <NeedsAttention items={attention} />
      <TodayFigures floats={mayReconcile ? (payouts?.floats ?? (isError ? 'unavailable' : undefined)) : null} />
      <TransferCharts />
      <MoneyFlow />
      <OverviewCards />
      {mayDo('ledger.read') ? <LedgerAuditCard /> : null}
    </AdminPage>
  );
}
