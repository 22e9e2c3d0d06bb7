import { useStore } from '@nanostores/react';
import { FileText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { TransactionHistory } from '#features/transactions/transaction-history.tsx';
import { useHistory } from '#features/transactions/use-history.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { buttonClass } from '#shared/ui/button.tsx';
import { Page } from '#shared/ui/page.tsx';

const MESSAGES = i18n('transactions-page', {
  title: 'Transaction History',
  back: 'Back to the dashboard',
  statement: 'Statement',
});

export function TransactionsPage() {
  const t = useStore(MESSAGES);
  const history = useHistory();
  const statement = history.isEmpty ? null : (
    <Link to={PATHS.statement} className={buttonClass('quiet', '-mr-3', 'small')}>
      <FileText aria-hidden className="hidden size-5 sm:block" />
      {t.statement}
    </Link>
  );
  return (
    <Page title={t.title} width="wide" back={{ to: PATHS.dashboard, label: t.back }} aside={statement}>
      <TransactionHistory {...history} />
    </Page>
  );
}
