import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { Receipt } from '#features/transactions/receipt.tsx';
import { receiptQuery } from '#shared/api/receipts.api.ts';
import { ApiError, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';

const MESSAGES = i18n('receipt-page', {
  title: 'Receipt',
  heading: 'Transaction receipt',
  back: 'Back to Transactions',
  notFound: 'Transaction not found',
  notFoundDetail: 'No transaction of yours has this ID.',
  failed: 'The receipt could not be loaded',
});

function NotFound() {
  const t = useStore(MESSAGES);
  return (
    <Card>
      <EmptyState Icon={SearchX} title={t.notFound} detail={t.notFoundDetail} />
    </Card>
  );
}

function ReceiptContent({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const [watchedSinceMs] = useState(() => Date.now());
  const { data, error, refetch } = useQuery(receiptQuery(id, watchedSinceMs));
  if (data) return <Receipt receipt={data} />;
  if (!error) return <PageSpinner />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFound />;
  return (
    <Card>
      <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
    </Card>
  );
}

export function ReceiptPage() {
  const t = useStore(MESSAGES);
  const { id = '' } = useParams();
  return (
    <div className="mx-auto max-w-merchant px-4 pt-2 sm:px-6 lg:max-w-wide print:max-w-none print:p-0">
      <PageTitle title={t.title} />
      <h1 className="sr-only">{t.heading}</h1>
      <Link
        to={PATHS.transactions}
        className="no-print mb-4 -ml-3 inline-flex min-h-12 items-center gap-2 rounded-control px-3 font-semibold text-primary hover:bg-primary-soft"
      >
        <ArrowLeft aria-hidden className="size-5" />
        {t.back}
      </Link>
      <ReceiptContent key={id} id={id} />
    </div>
  );
}
