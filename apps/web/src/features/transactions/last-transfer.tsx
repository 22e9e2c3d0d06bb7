import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { receiptQuery } from '#shared/api/receipts.api.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import { StatusBadge } from '#shared/ui/status-badge.tsx';

const MESSAGES = i18n('last-transfer', { label: 'Last transfer', to: params('to {phone}') });

/** The transfer that was just sent, with its live status and a link to its receipt. */
export function LastTransfer({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const [watchedSinceMs] = useState(() => Date.now());
  const receipt = useQuery(receiptQuery(id, watchedSinceMs)).data;
  if (!receipt) return null;
  const phone = receipt.metadata?.recipientPhone;
  return (
    <Link
      to={receiptPath(id)}
      className="flex min-h-18 animate-enter items-center gap-3 rounded-card bg-surface px-4 py-3 shadow-1 hover:bg-sunken"
    >
      {/* With large text the badge wraps below. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0">
          <span className="block text-caption text-ink3">{t.label}</span>
          <span className="nums block font-semibold">
            {formatAmount(receipt.source_amount, receipt.source_currency)}
          </span>
          {phone ? (
            <span className="nums block text-small text-ink2">{t.to({ phone: formatPhone(phone) })}</span>
          ) : null}
        </span>
        <StatusBadge status={receipt.status} place="receipt" />
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3" />
    </Link>
  );
}
