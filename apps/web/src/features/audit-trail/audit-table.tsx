import { useStore } from '@nanostores/react';
import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { RowButton } from '#shared/admin/row-button.tsx';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Moment } from '#shared/ui/moment.tsx';
import { AUDIT_WORDS, actionText } from './audit-words.ts';

const MESSAGES = i18n('admin/audit-table', {
  label: 'Audit trail',
  time: 'Time',
  actor: 'Administrator',
  action: 'Action',
  subject: 'Subject',
  amount: 'Amount',
  reason: 'Reason',
  details: 'Details',
  none: '–',
});

const Amounted = z.object({ amount: z.string(), currency: z.string() });

/** The money of an action, if it moved any. */
export function amountOf({ after, before }: Pick<AuditEntry, 'after' | 'before'>): string | undefined {
  const found = [after, before].map((values) => Amounted.safeParse(values)).find(({ success }) => success);
  return found?.data && formatAmount(found.data.amount, found.data.currency);
}

interface AuditTableProps {
  entries: readonly AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
  /** Shown if there are none. */
  empty: ReactNode;
}

/** A text in the width that the other columns leave: it makes the table no wider. */
function Rest({ text }: { text: string | null }) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)]">
      <span className="nums truncate">{text}</span>
    </span>
  );
}

export function AuditTable({ entries, onOpen, empty }: AuditTableProps) {
  const t = useStore(MESSAGES);
  const words = useStore(AUDIT_WORDS);
  const subject = ({ subject: { label, id } }: AuditEntry) => label ?? id;
  const action = (entry: AuditEntry) => actionText(words, entry.action);
  const amount = (entry: AuditEntry) => amountOf(entry) ?? <span className="text-ink3">{t.none}</span>;
  const details = (entry: AuditEntry) => (
    <RowButton
      aria-label={`${t.details}: ${action(entry)}, ${formatDayAndTime(entry.at)}`}
      onClick={() => onOpen(entry)}
    >
      {t.details}
    </RowButton>
  );
  const actor = ({ actor: { name }, address }: AuditEntry) => (
    <>
      {name}
      <span className="nums block truncate text-caption text-ink3">{address}</span>
    </>
  );
  const columns: Column<AuditEntry>[] = [
    { key: 'time', header: t.time, cell: (row) => <Moment at={row.at} />, className: 'lg:whitespace-nowrap' },
    { key: 'actor', header: t.actor, cell: actor, className: 'max-w-60 truncate' },
    { key: 'action', header: t.action, cell: action, className: 'w-full font-medium lg:whitespace-nowrap' },
    {
      key: 'subject',
      header: t.subject,
      cell: subject,
      className: 'nums max-w-44 truncate 2xl:max-w-72',
      fold: { into: 'action', cell: (row) => <Rest text={subject(row)} /> },
    },
    { key: 'amount', header: t.amount, align: 'right', cell: amount, className: 'whitespace-nowrap font-medium' },
    {
      key: 'reason',
      header: t.reason,
      cell: (row) => row.reason ?? t.none,
      className: 'max-w-44 truncate 2xl:max-w-72',
      fold: { into: 'action', cell: ({ reason }) => <Rest text={reason} /> },
    },
    { key: 'details', header: t.details, cell: details, isPinned: true },
  ];
  return (
    <DataTable
      label={t.label}
      columns={columns}
      rows={entries}
      rowKey={(row) => row.id}
      onOpen={onOpen}
      roomy="(min-width: 96rem)"
      empty={empty}
      card={(row) => (
        <>
          <p className="font-semibold">{action(row)}</p>
          <p className="nums text-small [overflow-wrap:anywhere] text-ink2">
            {[subject(row), amountOf(row)].filter(Boolean).join(' · ')}
          </p>
          <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
            <p className="nums min-w-0 flex-1 basis-32 text-caption [overflow-wrap:anywhere] text-ink3">
              {[row.actor.name, row.address].filter(Boolean).join(' · ')}
              <span className="block">
                <Moment at={row.at} />
              </span>
            </p>
            {details(row)}
          </div>
        </>
      )}
    />
  );
}
