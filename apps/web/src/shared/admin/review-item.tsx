import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { FACT_GRID, WIDE_FACT } from '#shared/admin/fact-grid.ts';
import { JournalLink } from '#shared/admin/journal-link.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import { Moment } from '#shared/ui/moment.tsx';

const MESSAGES = i18n('admin/review-item', { receipt: 'Receipt', transaction: 'Transaction' });

const LINK = 'inline-flex min-h-9 items-center text-small font-semibold text-primary hover:underline md:min-h-0';

export type ReviewFact = readonly [label: string, text: ReactNode, width?: 'wide'];

interface ReviewItemProps {
  title: ReactNode;
  createdAt: string;
  /** The transaction with the receipt and the journal, if there is one. */
  transactionId?: string | null;
  facts: readonly ReviewFact[];
  /** The actions on it. */
  children?: ReactNode;
}

/** One item of a list of decisions: what it is, the facts to decide by, and the actions. */
export function ReviewItem({ title, createdAt, transactionId, facts, children }: ReviewItemProps) {
  const t = useStore(MESSAGES);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 px-4 py-4 sm:px-5 md:grid-cols-[minmax(0,1fr)_auto]">
      <div>
        {title}
        <p className="nums flex flex-wrap items-center gap-x-3 text-caption text-ink3">
          <Moment at={createdAt} />
          {transactionId ? (
            <Link to={receiptPath(transactionId)} className={LINK}>
              {t.receipt}
            </Link>
          ) : null}
          {transactionId ? (
            <JournalLink id={transactionId} className={LINK}>
              {t.transaction}
            </JournalLink>
          ) : null}
        </p>
      </div>
      <dl className={`${FACT_GRID} md:col-span-2 md:row-start-2`}>
        {facts.map(([label, text, width]) => (
          // On a phone a label and its value share a line.
          <div
            key={label}
            className={`flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 sm:block ${width ? WIDE_FACT : ''}`}
          >
            <dt className="text-caption text-ink3">{label}</dt>
            <dd className="nums ml-auto min-w-0 text-right font-medium break-words sm:text-left">{text}</dd>
          </div>
        ))}
      </dl>
      {children}
    </li>
  );
}
