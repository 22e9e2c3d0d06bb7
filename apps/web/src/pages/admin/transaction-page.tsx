import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { RecoveryPreview } from '@vuka/contracts/http/recovery';
import { useParams } from 'react-router-dom';
import { LegList } from '#features/recovery/leg-list.tsx';
import { recoveryQuery } from '#features/recovery/recovery.api.ts';
import { Journal } from '#features/transaction-journal/journal.tsx';
import { CopyButton } from '#shared/admin/copy-button.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { AdminPage } from './admin-page.tsx';
import { useJournal } from './use-journal.ts';

const MESSAGES = i18n('admin/transaction-page', {
  title: 'Transaction',
  description: 'What happened to it, in one line of time: its statuses, the calls to the provider, and administrators.',
  failed: params('Error loading the transaction: {message}'),
  amounts: params('{source} → {target}'),
  to: params('to {phone}'),
  copy: 'Copy ID',
  journal: 'Journal',
  legs: 'Steps',
});

/** One transaction with everything that is recorded of it, for questions of customers and of the provider. */
export function TransactionPage() {
  const t = useStore(MESSAGES);
  const { id = '' } = useParams();
  const query = useQuery(recoveryQuery(id));
  return (
    <AdminPage title={t.title} description={t.description}>
      <QueryBody query={query} failed={(message) => ({ title: t.failed({ message }) })}>
        {(preview) => <Found preview={preview} />}
      </QueryBody>
    </AdminPage>
  );
}

function Found({ preview: { transaction, legs } }: { preview: RecoveryPreview }) {
  const t = useStore(MESSAGES);
  const events = useJournal(transaction.id, transaction.status);
  const phone = transaction.metadata?.recipientPhone;
  return (
    <>
      <Card className="flex flex-wrap items-start justify-between gap-3 p-4 sm:p-5">
        <div className="min-w-0">
          <p className="nums text-title font-bold tracking-amount">
            {t.amounts({
              source: formatAmount(transaction.source_amount, transaction.source_currency),
              target: formatAmount(transaction.target_amount, transaction.target_currency),
            })}
          </p>
          <p className="nums mt-1 text-small text-ink2">
            {[phone && t.to({ phone: formatPhone(phone) }), formatDayAndTime(transaction.created_at)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <p className="nums mt-1 text-caption [overflow-wrap:anywhere] text-ink3">{transaction.id}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <StatusBadge status={transaction.status} place="receipt" />
          <CopyButton variant="secondary" size="small" text={transaction.id} label={t.copy} />
        </div>
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title={t.journal}>
          <Journal events={events} />
        </Card>
        <Card title={t.legs}>
          <div className="px-4 pb-5 text-small sm:px-5">
            <LegList legs={legs} />
          </div>
        </Card>
      </div>
    </>
  );
}
