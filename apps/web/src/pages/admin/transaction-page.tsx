import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { RecoveryPreview } from '@vuka/contracts/http/recovery';
import { ArrowLeft } from 'lucide-react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { merchantQuery } from '#features/merchants/merchants.api.ts';
import { LegList } from '#features/recovery/leg-list.tsx';
import { recoveryQuery } from '#features/recovery/recovery.api.ts';
import { Journal } from '#features/transaction-journal/journal.tsx';
import { CopyButton } from '#shared/admin/copy-button.tsx';
import { FACT_GRID, WIDE_FACT } from '#shared/admin/fact-grid.ts';
import { MerchantLink } from '#shared/admin/merchant-link.tsx';
import { QueryCards } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { deliveryTime } from '#shared/format/delivery-time.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { formatInverse, formatRate } from '#shared/format/rate.ts';
import { shortId } from '#shared/format/short-id.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { isSettled } from '#shared/status-view.ts';
import { Button, buttonClass } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { AdminPage } from './admin-page.tsx';
import { useJournal } from './use-journal.ts';

const MESSAGES = i18n('admin/transaction-page', {
  title: 'Transaction',
  description: 'Statuses, calls to the provider, and what administrators did.',
  failed: 'The transaction could not be loaded',
  amounts: params('{source} → {target}'),
  to: params('to {phone}'),
  copy: 'Copy ID',
  back: 'Back',
  recovery: 'Transaction Recovery',
  merchant: 'Merchant',
  rate: 'Exchange rate',
  fee: 'Fee',
  delivered: 'Delivered in',
  provider: 'Provider',
  payout: 'Payout ID',
  reference: 'Provider’s reference',
  journal: 'Journal',
  legs: 'Steps',
});

type Transaction = RecoveryPreview['transaction'];

/** One transaction with everything that is recorded of it, for questions of customers and of the provider. */
export function TransactionPage() {
  const t = useStore(MESSAGES);
  const { id = '' } = useParams();
  const query = useQuery(recoveryQuery(id));
  return (
    <AdminPage title={t.title} description={t.description} back={<WayBack />}>
      <QueryCards query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(preview) => <Found preview={preview} />}
      </QueryCards>
    </AdminPage>
  );
}

/** Whether the entry before this one in the history is a page of the app. */
function useCameFromApp(): boolean {
  const { key } = useLocation();
  // The router counts its entries, also over a reload; in memory it does not, and only the first one has this key.
  const index: unknown = window.history.state?.idx;
  return typeof index === 'number' ? index > 0 : key !== 'default';
}

/** To the list, the merchant or the search that led here; to the stuck transactions from a bookmark or a new tab. */
function WayBack() {
  const t = useStore(MESSAGES);
  const navigate = useNavigate();
  if (useCameFromApp())
    return (
      <Button variant="quiet" size="small" className="-ml-3" onClick={() => void navigate(-1)}>
        <ArrowLeft aria-hidden className="size-5" />
        {t.back}
      </Button>
    );
  return (
    <Link to={PATHS.transactionRecovery} className={buttonClass('quiet', '-ml-3', 'small')}>
      <ArrowLeft aria-hidden className="size-5" />
      {t.recovery}
    </Link>
  );
}

interface Fact {
  label: string;
  /** The values, one per line. */
  texts: readonly string[];
  /** An ID takes the room of two facts, so that it stays on one line. */
  isLong?: boolean;
}

/** Both rates, as in the receipt: an amount cannot be checked with a rate of few digits. */
function ratesOf({ source_currency: source, target_currency: target, exchange_rate }: Transaction): string[] {
  const rate = Number(exchange_rate);
  return rate && source !== target ? [formatRate(source, target, rate), formatInverse(source, target, rate)] : [];
}

/** How long a settled transfer to a phone took. */
function deliveryOf(transaction: Transaction): string | undefined {
  return isSettled(transaction.status) && transaction.metadata?.recipientPhone ? deliveryTime(transaction) : undefined;
}

/** What support is asked about, without empty values. */
function factsOf({ transaction, payout }: RecoveryPreview, t: ReturnType<typeof MESSAGES.get>): Fact[] {
  const one = (text: string | null | undefined): string[] => (text ? [text] : []);
  const facts: Fact[] = [
    { label: t.rate, texts: ratesOf(transaction) },
    { label: t.fee, texts: [formatExactAmount(transaction.fee, transaction.source_currency)] },
    { label: t.delivered, texts: one(deliveryOf(transaction)) },
    { label: t.provider, texts: one(payout?.provider) },
    { label: t.payout, texts: one(payout?.id), isLong: true },
    { label: t.reference, texts: one(payout?.providerReference), isLong: true },
  ];
  return facts.filter(({ texts }) => texts.length > 0);
}

/** Whose transaction it is, by name for those who may read merchants. */
function Merchant({ id }: { id: string }) {
  const mayRead = useMayDo()('merchants.read');
  // Read once: the figures that the merchant's own page keeps fresh are not shown here.
  const { data } = useQuery({ ...merchantQuery(id), enabled: mayRead, refetchInterval: false });
  return data ? <MerchantLink userId={id} text={data.merchant.fullName} /> : shortId(id);
}

function Found({ preview }: { preview: RecoveryPreview }) {
  const { transaction, legs } = preview;
  const t = useStore(MESSAGES);
  const events = useJournal(transaction.id, transaction.status);
  const phone = transaction.metadata?.recipientPhone;
  return (
    <>
      <Card className="flex flex-wrap items-start justify-between gap-3 p-4 sm:p-5">
        <div className="min-w-0">
          <p className="nums text-title font-bold tracking-amount sm:text-h1">
            {t.amounts({
              source: formatAmount(transaction.source_amount, transaction.source_currency),
              target: formatAmount(transaction.target_amount, transaction.target_currency),
            })}
          </p>
          <p className="nums mt-1 flex flex-wrap gap-x-3 text-small text-ink2">
            {phone ? <span>{t.to({ phone: formatPhone(phone) })}</span> : null}
            <span>{formatDayAndTime(transaction.created_at)}</span>
          </p>
          <p className="nums mt-1 text-caption [overflow-wrap:anywhere] text-ink3">{transaction.id}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <StatusBadge status={transaction.status} place="list" />
          <CopyButton variant="secondary" size="small" text={transaction.id} label={t.copy} />
        </div>
        <dl
          className={`${FACT_GRID} w-full grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] border-t border-line pt-3`}
        >
          <div className="min-w-0">
            <dt className="text-caption text-ink3">{t.merchant}</dt>
            <dd className="nums font-medium break-words">
              <Merchant id={preview.accountId} />
            </dd>
          </div>
          {factsOf(preview, t).map(({ label, texts, isLong }) => (
            <div key={label} className={`min-w-0 ${isLong ? WIDE_FACT : ''}`}>
              <dt className="text-caption text-ink3">{label}</dt>
              {texts.map((text) => (
                <dd key={text} className="nums font-medium break-words">
                  {text}
                </dd>
              ))}
            </div>
          ))}
        </dl>
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
