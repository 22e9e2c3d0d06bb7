import { useStore } from '@nanostores/react';
import type { TransactionListItem } from '@vuka/contracts/http/transfers';
import { ReceiptText } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { JournalLink } from '#shared/admin/journal-link.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { adminTransactionPath } from '#shared/paths.ts';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { StatusBadge } from '#shared/ui/status-badge.tsx';

const MESSAGES = i18n('admin/transaction-table', {
  time: 'Time',
  amount: 'Amount',
  recipient: 'Recipient',
  status: 'Status',
  none: '–',
  credit: 'Credited by an administrator',
  empty: 'No transactions yet',
  emptyDetail: 'Transfers, withdrawals and credits appear here.',
});

interface TransactionTableProps {
  label: string;
  items: readonly TransactionListItem[];
  /** What the table says if there are none. */
  empty?: string;
}

/** Transactions of others, each with a link to its journal. */
export function TransactionTable({ label, items, empty }: TransactionTableProps) {
  const t = useStore(MESSAGES);
  const navigate = useNavigate();
  const mayOpen = useMayDo()('recovery.read');
  const amount = (item: TransactionListItem): string => {
    const source = formatAmount(item.sourceAmount, item.sourceCurrency);
    return item.sourceCurrency === item.targetCurrency
      ? source
      : `${source} → ${formatAmount(item.targetAmount, item.targetCurrency)}`;
  };
  const recipient = ({ recipientPhone, metadata }: TransactionListItem): string => {
    if (metadata.isAdminCredit) return t.credit;
    return recipientPhone?.startsWith('+') ? formatPhone(recipientPhone) : (recipientPhone ?? t.none);
  };
  const time = ({ id, createdAt }: TransactionListItem) => {
    const moment = <Moment at={createdAt} />;
    return (
      <JournalLink id={id} otherwise={moment} className="text-primary underline-offset-2 hover:underline">
        {moment}
      </JournalLink>
    );
  };
  const status = (item: TransactionListItem) => <StatusBadge status={item.status} place="list" />;
  const columns: Column<TransactionListItem>[] = [
    { key: 'time', header: t.time, cell: time, className: 'nums whitespace-nowrap' },
    { key: 'amount', header: t.amount, align: 'right', cell: amount, className: 'font-medium whitespace-nowrap' },
    {
      key: 'recipient',
      header: t.recipient,
      cell: recipient,
      className: 'nums whitespace-nowrap',
      fold: { into: 'amount' },
    },
    { key: 'status', header: t.status, cell: status },
  ];
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={items}
      rowKey={(item) => item.id}
      onOpen={mayOpen ? ({ id }) => void navigate(adminTransactionPath(id)) : undefined}
      empty={<EmptyState Icon={ReceiptText} title={empty ?? t.empty} {...(empty ? {} : { detail: t.emptyDetail })} />}
      card={(item) => (
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <p className="nums w-full font-semibold">{amount(item)}</p>
          {status(item)}
          <p className="nums w-full text-caption text-ink3">
            {time(item)} · {recipient(item)}
          </p>
        </div>
      )}
    />
  );
}
