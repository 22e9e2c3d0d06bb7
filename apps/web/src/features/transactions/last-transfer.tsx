import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { receiptQuery } from '#shared/api/receipts.api.ts';
import { useSavedName } from '#shared/api/recipients.api.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import { StatusBadge } from '#shared/ui/status-badge.tsx';
import { TransferLine } from './transfer-line.tsx';

const MESSAGES = i18n('last-transfer', {
  label: 'Last transfer',
  to: params('to {recipient}'),
  receives: params('Recipient receives {amount}'),
});

/** An animated check for a delivered transfer. */
function DrawnCheck() {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className="size-11 shrink-0 rounded-full bg-ok-soft p-2.5 text-ok">
      <path
        d="M5 12.5 10 17.5 19.5 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeDasharray="24"
        className="animate-draw"
      />
    </svg>
  );
}

/** The transfer that was just sent: its amount, recipient, progress, and a link to its receipt. */
export function LastTransfer({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const [watchedSinceMs] = useState(() => Date.now());
  const receipt = useQuery(receiptQuery(id, watchedSinceMs)).data;
  const phone = receipt?.metadata?.recipientPhone ?? undefined;
  const name = useSavedName(phone);
  if (!receipt) return null;
  return (
    <Link
      to={receiptPath(id)}
      className="grid animate-enter grid-cols-[minmax(0,1fr)] gap-3 rounded-card bg-surface px-4 py-4 shadow-1 hover:shadow-2 sm:px-5"
    >
      <span className="flex items-center gap-2">
        {/* With large text the badge wraps below. */}
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="text-small font-semibold text-ink2">{t.label}</span>
          <StatusBadge status={receipt.status} place="receipt" />
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3" />
      </span>
      <span className="grid grid-cols-[minmax(0,1fr)] items-center gap-4 md:grid-cols-2">
        <span className="flex items-center gap-3">
          {receipt.status === 'SETTLED' ? (
            <DrawnCheck />
          ) : (
            <Send aria-hidden className="size-11 shrink-0 rounded-full bg-primary-soft p-2.5 text-primary" />
          )}
          <span className="min-w-0 flex-1">
            <span className="nums block text-title font-bold tracking-amount">
              {formatAmount(receipt.source_amount, receipt.source_currency)}
            </span>
            {phone ? (
              <span className="block text-small text-ink2 break-words">
                {t.to({ recipient: [name, unbroken(formatPhone(phone))].filter(Boolean).join(' · ') })}
              </span>
            ) : null}
            <span className="nums block text-caption text-ink3">
              {t.receives({ amount: formatAmount(receipt.target_amount, receipt.target_currency) })}
            </span>
          </span>
        </span>
        <TransferLine hasWords receipt={receipt} />
      </span>
    </Link>
  );
}
