import './statement-print.css';
import './statement-refusals.ts';
import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { Statement } from '@vuka/contracts/http/statements';
import { Download, Printer } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { errorMessage } from '#shared/api-client.ts';
import { formatDay, formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { useSessionUser } from '#shared/session.ts';
import { Button, buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';
import { Movements } from './movements.tsx';
import { type Period, periodError, readPeriod } from './period.ts';
import { PeriodForm } from './period-form.tsx';
import { statementFilePath, statementQuery } from './statement.api.ts';
import { WalletTotals } from './wallet-totals.tsx';

const MESSAGES = i18n('statement-view', {
  title: 'Statement',
  failed: 'The statement could not be loaded',
  range: params('{from} to {to}'),
  made: params('Made on {time} from the ledger. Days are in East Africa Time (UTC+3).'),
  download: 'Download CSV',
  print: 'Print',
});

/** The statement of a period, which is in the address. */
export function StatementView() {
  const [searchParams, setSearchParams] = useSearchParams();
  const period = readPeriod(searchParams);
  const error = periodError(period);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PeriodForm
        period={period}
        error={error}
        onChange={(next) => setSearchParams(new URLSearchParams(next), { replace: true })}
      />
      {error ? null : <Result period={period} />}
    </div>
  );
}

function Result({ period }: { period: Period }) {
  const t = useStore(MESSAGES);
  const { data, error, isPlaceholderData, refetch } = useQuery(statementQuery(period));
  if (data) {
    return (
      <div aria-busy={isPlaceholderData} className="transition-opacity aria-busy:opacity-60">
        <Sheet statement={data} />
      </div>
    );
  }
  if (!error) return <PageSpinner />;
  return (
    <Card>
      <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
    </Card>
  );
}

function Sheet({ statement }: { statement: Statement }) {
  const t = useStore(MESSAGES);
  const { from, to, wallets, movements, hasMore } = statement;
  const actions = (
    <div className="no-print flex flex-wrap gap-2">
      <a href={statementFilePath({ from, to })} download className={buttonClass('secondary', '', 'small')}>
        <Download aria-hidden className="size-5" />
        {t.download}
      </a>
      <Button variant="secondary" size="small" onClick={() => window.print()}>
        <Printer aria-hidden className="size-5" />
        {t.print}
      </Button>
    </div>
  );
  return (
    <div className="statement-sheet grid grid-cols-[minmax(0,1fr)] gap-4">
      <PrintHead statement={statement} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 print:grid-cols-2">
        {wallets.map((wallet) => (
          <WalletTotals key={wallet.currency} wallet={wallet} />
        ))}
      </div>
      <Movements actions={actions} movements={movements} hasMore={hasMore} />
      <p className="text-caption text-ink3">{t.made({ time: formatDayAndTime(statement.madeAt) })}</p>
    </div>
  );
}

/** On paper: the owner and the date of the statement. */
function PrintHead({ statement }: { statement: Statement }) {
  const t = useStore(MESSAGES);
  const user = useSessionUser();
  return (
    <div className="hidden items-end justify-between border-b border-line pb-3 print:flex">
      <div>
        <Wordmark />
        <p className="mt-2 font-semibold">{t.title}</p>
        <p className="nums text-small">{t.range({ from: formatDay(statement.from), to: formatDay(statement.to) })}</p>
      </div>
      <div className="text-right text-small">
        <p className="font-semibold">{user?.fullName || user?.username}</p>
        <p className="nums">{user?.merchantData?.merchantId}</p>
      </div>
    </div>
  );
}
