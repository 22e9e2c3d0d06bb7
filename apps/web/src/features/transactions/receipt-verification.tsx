import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { verificationQuery } from '#shared/api/receipts.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { verifyPath } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { copyVerifyLink } from './share-receipt.ts';

const MESSAGES = i18n('receipt-verification', {
  title: 'Verify this receipt',
  explain:
    'Anyone can scan this code, or open the address, to check that the receipt is genuine and see its current status.',
  code: 'QR code of the address where this receipt can be verified',
  copy: 'Copy verification link',
});

const QrCode = lazy(() => import('#shared/ui/qr-code.tsx').then((file) => ({ default: file.QrCode })));

/** The public address that verifies the receipt; undefined until the server has returned its code. */
export function useVerifyUrl(id: string): string | undefined {
  const { data: code } = useQuery(verificationQuery(id));
  return code === undefined ? undefined : window.location.origin + verifyPath(code);
}

export function ReceiptVerification({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const { isError } = useQuery(verificationQuery(id));
  const url = useVerifyUrl(id);
  if (isError && !url) return null;
  const waiting = <Skeleton className="size-full" />;
  return (
    <Card className="flex flex-wrap items-center gap-4 p-4 sm:flex-nowrap sm:p-5 print:flex-nowrap">
      <div className="mx-auto aspect-square w-40 max-w-full shrink-0 overflow-hidden rounded-chip bg-white print:mx-0 print:size-28">
        {url ? (
          <Suspense fallback={waiting}>
            <QrCode text={url} label={t.code} className="size-full" />
          </Suspense>
        ) : (
          waiting
        )}
      </div>
      <div className="min-w-0 flex-1 basis-56 print:basis-0">
        <h2 className="font-semibold">{t.title}</h2>
        <p className="mt-1 text-small text-ink2">{t.explain}</p>
        {url ? (
          <div className="mt-2 flex items-start gap-1">
            <Link
              to={new URL(url).pathname}
              className="nums min-w-0 flex-1 text-caption break-all text-primary underline underline-offset-2 print:text-ink print:no-underline"
            >
              {url}
            </Link>
            <button
              type="button"
              aria-label={t.copy}
              className="no-print -mt-3 -mr-2 grid size-12 shrink-0 place-items-center rounded-control text-primary hover:bg-primary-soft"
              onClick={() => void copyVerifyLink(url)}
            >
              <Copy aria-hidden className="size-5" />
            </button>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
