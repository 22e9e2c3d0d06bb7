import { TransactionHistory } from '#features/transactions/transaction-history.tsx';
import { PATHS } from '#shared/paths.ts';
import { Page } from '#shared/ui/page.tsx';

const TEXT = { title: 'Transaction History', back: 'Back to the dashboard' } as const;

export function TransactionsPage() {
  return (
    <Page title={TEXT.title} width="wide" back={{ to: PATHS.dashboard, label: TEXT.back }}>
      <TransactionHistory />
    </Page>
  );
}
