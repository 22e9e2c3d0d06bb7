import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { verificationQuery } from '#shared/api/receipts.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { verifyPath } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { copyVerifyLink } from './share-receipt.ts';

const MESSAGES = i18n('receipt-verification', {
  title: 'Verify this receipt',
  explain:
    'Anyone can scan this code, or open the address, to check that the receipt is genuine and see its current status.',
  code: 'QR code of the address where this receipt can be verified',
  copy: 'Copy verification link',
  copyShort: 'Copy',
});

const QrCode = lazyAgain(async () => (await import('#shared/ui/qr-code.tsx')).QrCode);

/** The public address that verifies the receipt; undefined until the server has returned its code. */
export function useVerifyUrl(id: string): string | undefined {
  const { data: code } = useQuery(verificationQuery(id));
  return code === undefined ? undefined : window.location.origin + verifyPath(code);
}

/** "vuka.example/verify/NK4P…8TQ2": enough of the code to compare it by eye. */
function shortUrl(url: string): string {
  const { host, pathname } = new URL(url);
  const from = pathname.lastIndexOf('/') + 1;
  return `${host}${pathname.slice(0, from + 4)}…${pathname.slice(-4)}`;
}

export function ReceiptVerification({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const { isError } = useQuery(verificationQuery(id));
  const url = useVerifyUrl(id);
  if (isError && !url) return null;
  const waiting = <Skeleton className="size-full" />;
  return (
    <Card className="flex flex-wrap items-center gap-4 p-4 sm:flex-nowrap sm:p-5 lg:col-span-2 print:flex-nowrap">
      <div className="mx-auto aspect-square w-40 max-w-full shrink-0 overflow-hidden rounded-chip bg-white sm:mx-0 print:size-28">
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
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <Link
              to={new URL(url).pathname}
              className="nums min-w-0 text-small font-medium text-primary underline underline-offset-2 print:text-caption print:break-all print:text-ink print:no-underline"
            >
              <span className="print:hidden">{shortUrl(url)}</span>
              <span className="hidden print:inline">{url}</span>
            </Link>
            <Button
              variant="secondary"
              size="small"
              className="no-print"
              aria-label={t.copy}
              onClick={() => void copyVerifyLink(url)}
            >
              <Copy aria-hidden className="size-4" />
              {t.copyShort}
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
