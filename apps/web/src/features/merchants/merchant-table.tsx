import { useStore } from '@nanostores/react';
import { Link } from 'react-router-dom';
import { type Column, DataTable, type Sort } from '#shared/admin/data-table.tsx';
import { formatDay } from '#shared/format/date.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { merchantPath } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { AccountStatus } from './account-status.tsx';
import { SORT_KEYS, type SortKey } from './merchant-list.ts';
import type { Merchant } from './merchants.api.ts';

const MESSAGES = i18n('admin/merchant-table', {
  label: 'Merchants',
  username: 'Username',
  fullName: 'Name',
  email: 'Email',
  phone: 'Phone',
  country: 'Country',
  defaultCurrency: 'Currency',
  isBlocked: 'Status',
  createdAt: 'Registered',
  actions: 'Actions',
  block: 'Block',
  unblock: 'Unblock',
  unlock: 'Unlock',
  empty: 'No merchants found',
  invalidDate: 'Invalid date',
  sortBy: 'Sort by',
});

interface MerchantTableProps {
  merchants: readonly Merchant[];
  /** Whose switch is being turned. */
  busyId: string | undefined;
  sort: Sort;
  onSort: (key: SortKey) => void;
  onToggle: (merchant: Merchant) => void;
  onUnlock: (merchant: Merchant) => void;
}

export function MerchantTable({ merchants, busyId, sort, onSort, onToggle, onUnlock }: MerchantTableProps) {
  const t = useStore(MESSAGES);
  const registered = (merchant: Merchant): string => formatDay(merchant.createdAt, t.invalidDate);
  const action = (merchant: Merchant) => (
    <span className="flex gap-2">
      {merchant.lockedUntil ? (
        <UnlockButton merchant={merchant} isBusy={busyId !== undefined} onUnlock={onUnlock} />
      ) : null}
      <BlockButton merchant={merchant} isBusy={busyId !== undefined} onToggle={onToggle} />
    </span>
  );
  const cells: Record<SortKey, Omit<Column<Merchant>, 'key' | 'header'>> = {
    username: { cell: (row) => <Shortened text={row.username} />, className: 'font-medium' },
    fullName: { cell: (row) => <NameLink merchant={row} />, className: 'whitespace-nowrap' },
    email: { cell: (row) => <Shortened text={row.email} /> },
    phone: { cell: (row) => formatPhone(row.phone), className: 'nums whitespace-nowrap' },
    country: { cell: (row) => row.country, className: 'whitespace-nowrap' },
    defaultCurrency: { cell: (row) => row.defaultCurrency },
    isBlocked: { cell: (row) => <AccountStatus merchant={row} /> },
    createdAt: { cell: registered, className: 'nums whitespace-nowrap' },
  };
  const columns: Column<Merchant>[] = [
    ...SORT_KEYS.map((key) => ({ key, header: t[key], isSortable: true, ...cells[key] })),
    { key: 'actions', header: t.actions, cell: action, isPinned: true },
  ];
  return (
    <>
      <SelectField
        label={t.sortBy}
        className="px-4 pb-4 md:hidden"
        value={sort.key}
        options={SORT_KEYS.map((key) => ({ value: key, label: t[key] }))}
        onChange={(key) => onSort(key as SortKey)}
      />
      <DataTable
        label={t.label}
        columns={columns}
        rows={merchants}
        rowKey={(row) => row.id}
        sort={sort}
        onSort={(key) => onSort(key as SortKey)}
        empty={<p className="text-ink2">{t.empty}</p>}
        card={(row) => (
          <>
            <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
              <p className="font-semibold">
                <NameLink merchant={row} />
              </p>
              <AccountStatus merchant={row} />
            </div>
            <p className="text-small [overflow-wrap:anywhere] text-ink2">{row.email}</p>
            <p className="nums mb-2 text-caption text-ink3">
              {formatPhone(row.phone)} · {row.country} · {row.defaultCurrency} · {registered(row)}
            </p>
            {action(row)}
          </>
        )}
      />
    </>
  );
}

/** As much of a long text as its column has room for; all of it where one points. */
function Shortened({ text }: { text: string }) {
  return (
    <span title={text} className="block max-w-32 truncate">
      {text}
    </span>
  );
}

function NameLink({ merchant }: { merchant: Merchant }) {
  return (
    <Link to={merchantPath(merchant.id)} className="text-primary underline-offset-2 hover:underline">
      {merchant.fullName || merchant.username}
    </Link>
  );
}

interface UnlockButtonProps {
  merchant: Merchant;
  isBusy: boolean;
  onUnlock: (merchant: Merchant) => void;
}

function UnlockButton({ merchant, isBusy, onUnlock }: UnlockButtonProps) {
  const t = useStore(MESSAGES);
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={`${t.unlock} ${merchant.fullName || merchant.username}`}
      disabled={isBusy}
      onClick={() => onUnlock(merchant)}
    >
      {t.unlock}
    </Button>
  );
}

interface BlockButtonProps {
  merchant: Merchant;
  isBusy: boolean;
  onToggle: (merchant: Merchant) => void;
}

function BlockButton({ merchant, isBusy, onToggle }: BlockButtonProps) {
  const t = useStore(MESSAGES);
  const word = merchant.isBlocked ? t.unblock : t.block;
  return (
    <Button
      variant={merchant.isBlocked ? 'secondary' : 'danger'}
      size="small"
      aria-label={`${word} ${merchant.fullName || merchant.username}`}
      disabled={isBusy}
      onClick={() => onToggle(merchant)}
    >
      {word}
    </Button>
  );
}
