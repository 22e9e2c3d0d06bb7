import { useStore } from '@nanostores/react';
import { MERCHANT_SORTS, type MerchantSort } from '@vuka/contracts/http/merchants';
import { COUNTRIES } from '@vuka/money/corridors';
import { COUNTRY_CODES } from '@vuka/money/directions';
import { Users } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { AccountStatus } from '#shared/admin/account-status.tsx';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { FilterSelect } from '#shared/admin/filter-select.tsx';
import { RowButton } from '#shared/admin/row-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDay } from '#shared/format/date.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { merchantPath } from '#shared/paths.ts';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import type { MerchantSorting } from './merchant-list.ts';
import type { Merchant } from './merchants.api.ts';

const MESSAGES = i18n('admin/merchant-table', {
  label: 'Merchants',
  username: 'Username',
  fullName: 'Name',
  email: 'Email',
  sameEmail: 'Same',
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
  emptyDetail: 'Everyone who registers appears here.',
  nobody: 'Try another name, email, phone number or ID.',
  invalidDate: 'Invalid date',
  sortBy: 'Sort by',
});

interface MerchantTableProps {
  merchants: readonly Merchant[];
  /** Whether they are only those who match a search. */
  isSearch: boolean;
  /** The merchant whose status is being changed. */
  busyId: string | undefined;
  sorting: MerchantSorting;
  onSort: (sorting: MerchantSorting) => void;
  onToggle: (merchant: Merchant) => void;
  onUnlock: (merchant: Merchant) => void;
}

export function MerchantTable(props: MerchantTableProps) {
  const { merchants, isSearch, busyId, sorting, onSort, onToggle, onUnlock } = props;
  const t = useStore(MESSAGES);
  const navigate = useNavigate();
  const mayBlock = useMayDo()('merchants.block');
  const registered = (merchant: Merchant): string => formatDay(merchant.createdAt, t.invalidDate);
  const action = (merchant: Merchant) =>
    mayBlock ? (
      <span className="-mr-3 flex flex-wrap justify-end xl:flex-nowrap">
        {merchant.lockedUntil ? (
          <ActionButton merchant={merchant} word={t.unlock} isBusy={busyId !== undefined} onPress={onUnlock} />
        ) : null}
        {/* Last, because every row has it, so that these buttons align vertically. */}
        <ActionButton
          merchant={merchant}
          word={merchant.isBlocked ? t.unblock : t.block}
          isDanger={!merchant.isBlocked}
          isBusy={busyId !== undefined}
          onPress={onToggle}
        />
      </span>
    ) : null;
  const cells: Record<MerchantSort, Omit<Column<Merchant>, 'key' | 'header'>> = {
    username: {
      cell: (row) => <OneLine text={row.username} className="max-w-40 xl:max-w-30 2xl:max-w-60" />,
      className: 'text-ink2',
      fold: { into: 'fullName' },
    },
    fullName: {
      cell: (row) => (
        <NameLink merchant={row} className="block max-w-40 truncate font-medium xl:max-w-30 2xl:max-w-60" />
      ),
    },
    email: {
      cell: (row) => <Email merchant={row} same={t.sameEmail} />,
      fold: { into: 'fullName', cell: ({ email, username }) => (email === username ? null : email) },
    },
    phone: { cell: (row) => formatPhone(row.phone), className: 'nums whitespace-nowrap' },
    country: {
      cell: (row) => (
        <abbr title={row.country} className="no-underline">
          {countryCode(row.country)}
        </abbr>
      ),
      fold: { into: 'phone', cell: ({ country, defaultCurrency }) => `${country} · ${defaultCurrency}` },
    },
    defaultCurrency: { cell: (row) => row.defaultCurrency, fold: { into: 'phone', cell: () => null } },
    isBlocked: { cell: (row) => <AccountStatus account={row} /> },
    createdAt: { cell: registered, className: 'nums whitespace-nowrap' },
  };
  const columns: Column<Merchant>[] = [
    ...MERCHANT_SORTS.map((key) => ({ key, header: t[key], isSortable: true, ...cells[key] })),
    ...(mayBlock
      ? [{ key: 'actions', header: t.actions, cell: action, isPinned: true, className: 'whitespace-nowrap' }]
      : []),
  ];
  return (
    <>
      {merchants.length > 0 ? <SortSelect sorting={sorting} onSort={onSort} /> : null}
      <DataTable
        label={t.label}
        columns={columns}
        rows={merchants}
        rowKey={(row) => row.id}
        sort={sorting}
        onSort={(key) =>
          onSort({ key: key as MerchantSort, isDescending: sorting.key === key && !sorting.isDescending })
        }
        onOpen={({ id }) => void navigate(merchantPath(id))}
        empty={<EmptyState Icon={Users} title={t.empty} detail={isSearch ? t.nobody : t.emptyDetail} />}
        card={(row) => (
          <>
            <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
              <div className="min-w-0 flex-1 basis-32 [overflow-wrap:anywhere]">
                <p className="line-clamp-2 font-semibold text-primary">
                  <NameLink merchant={row} />
                </p>
                <OneLine text={row.email} className="text-small text-ink2" />
              </div>
              <span className="text-right">
                <AccountStatus account={row} />
              </span>
            </div>
            <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
              <p className="nums min-w-0 flex-1 basis-32 text-caption text-ink3">
                {formatPhone(row.phone)}
                <span className="block">
                  {row.country} · {row.defaultCurrency} · {registered(row)}
                </span>
              </p>
              {action(row)}
            </div>
          </>
        )}
      />
    </>
  );
}

/** The order where the table has no room for every column, and so not for every header that sorts. */
function SortSelect({ sorting, onSort }: Pick<MerchantTableProps, 'sorting' | 'onSort'>) {
  const t = useStore(MESSAGES);
  return (
    <div className="flex px-4 pb-4 sm:px-5 xl:hidden">
      <FilterSelect
        label={t.sortBy}
        labelClass="sr-only"
        value={`${sorting.isDescending ? '-' : ''}${sorting.key}`}
        options={MERCHANT_SORTS.flatMap((key) => [
          { value: key, label: `${t[key]} ↑` },
          { value: `-${key}`, label: `${t[key]} ↓` },
        ])}
        onChange={(value) =>
          onSort({ key: value.replace('-', '') as MerchantSort, isDescending: value.startsWith('-') })
        }
      />
    </div>
  );
}

/** A text in one line; the whole of a long one is its tooltip. */
function OneLine({ text, className }: { text: string; className: string }) {
  return (
    <span title={text} className={`block truncate ${className}`}>
      {text}
    </span>
  );
}

/** Merchants sign in with their email: the same address is not repeated. */
function Email({ merchant: { email, username }, same }: { merchant: Merchant; same: string }) {
  if (email !== username) return <OneLine text={email} className="max-w-36 2xl:max-w-60" />;
  return (
    <span title={email} className="text-ink3">
      {same}
    </span>
  );
}

/** "KE" for Kenya. Accounts of older releases may name another country. */
function countryCode(name: string): string {
  return COUNTRY_CODES.find((code) => COUNTRIES[code].name === name) ?? name;
}

function NameLink({ merchant, className = '' }: { merchant: Merchant; className?: string }) {
  const name = merchant.fullName || merchant.username;
  return (
    <Link
      to={merchantPath(merchant.id)}
      title={className ? name : undefined}
      className={`text-primary underline-offset-2 hover:underline ${className}`}
    >
      {name}
    </Link>
  );
}

interface ActionButtonProps {
  merchant: Merchant;
  word: string;
  isDanger?: boolean;
  isBusy: boolean;
  onPress: (merchant: Merchant) => void;
}

/** Named with the merchant, because every row has the same words. */
function ActionButton({ merchant, word, isDanger = false, isBusy, onPress }: ActionButtonProps) {
  return (
    <RowButton
      aria-label={`${word} ${merchant.fullName || merchant.username}`}
      className=""
      isDanger={isDanger}
      isBusy={isBusy}
      onClick={() => onPress(merchant)}
    >
      {word}
    </RowButton>
  );
}
