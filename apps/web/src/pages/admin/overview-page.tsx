import { LedgerAuditCard } from '#features/ledger-audit/ledger-audit-card.tsx';
import { TransactionRecovery } from '#features/recovery/transaction-recovery.tsx';
import { NotFoundPage } from '#pages/not-found-page.tsx';
import { useSessionUser } from '#shared/session.ts';
import { Page } from '#shared/ui/page.tsx';

const TITLE = 'Overview';

export function OverviewPage() {
  const user = useSessionUser();
  if (!user?.isAdmin) return <NotFoundPage />;
  return (
    <Page title={TITLE} width="admin">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <LedgerAuditCard />
        <TransactionRecovery />
      </div>
    </Page>
  );
}
