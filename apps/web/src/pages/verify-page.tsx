import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { ReceiptVerdict } from '#features/verification/receipt-verdict.tsx';
import { receiptCheckQuery } from '#features/verification/verification.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { LanguageChoice } from '#shared/ui/language-choice.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PageTitle } from '#shared/ui/page-title.tsx';
import { PageSpinner } from '#shared/ui/spinner.tsx';
import { Wordmark } from '#shared/ui/wordmark.tsx';

const MESSAGES = i18n('verify-page', {
  title: 'Receipt verification',
  failed: 'The receipt could not be checked',
});

/** For anyone who was shown a receipt: no account, no menu, one answer. */
export function VerifyPage() {
  const t = useStore(MESSAGES);
  const { code = '' } = useParams();
  return (
    <main className="mx-auto grid max-w-narrow gap-4 px-4 pt-[calc(1.25rem+env(safe-area-inset-top))] pb-10">
      <PageTitle title={t.title} />
      <meta name="robots" content="noindex" />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Wordmark />
        <LanguageChoice isSmall />
      </div>
      <p className="text-small text-ink2">{t.title}</p>
      <Check key={code} code={code} />
    </main>
  );
}

function Check({ code }: { code: string }) {
  const t = useStore(MESSAGES);
  const [watchedSinceMs] = useState(() => Date.now());
  const { data, error, refetch } = useQuery(receiptCheckQuery(code, watchedSinceMs));
  if (data) return <ReceiptVerdict verdict={data} />;
  if (!error) return <PageSpinner />;
  return (
    <Card>
      <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
    </Card>
  );
}
