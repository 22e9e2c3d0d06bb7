import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, FileText, type LucideIcon, Smartphone, Users } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Dialog } from '#shared/admin/dialog.tsx';
import { findMerchantsQuery } from '#shared/admin/find-merchants.api.ts';
import { formatSearched, transfersToQuery } from '#shared/admin/transfers-to.api.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDay } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { merchantPath, transfersToPath } from '#shared/paths.ts';
import { SearchInput } from '#shared/ui/search-input.tsx';
import { useSettled } from '#shared/use-settled.ts';
import {
  matchingPages,
  merchantSearch,
  recipientSearch,
  type SearchPage,
  transactionTarget,
} from './search-targets.ts';

const MESSAGES = i18n('admin/search', {
  title: 'Search',
  label: 'A name, phone number, merchant ID, transaction ID or page',
  placeholder: 'Name, phone or ID',
  results: 'Results',
  none: 'Nothing was found',
  transaction: params('Transaction {id}'),
  to: params('Transactions to {phone}'),
  latest: params('Latest {when}: {amount}'),
  recipient: 'Recipient',
  page: 'Page',
  merchant: 'Merchant',
  keys: 'Arrow keys choose, Enter opens, Esc closes',
  transactionDetail: 'Its statuses, calls to the provider and administrators in one journal',
});

const TYPING_PAUSE_MS = 200;
const MOST_MERCHANTS = 5;
/** A shorter text matches nearly every merchant. */
const SHORTEST_SEARCH = 3;

interface Found {
  to: string;
  label: string;
  detail?: string;
  /** The kind of result, if the label does not show it. */
  kind?: string;
  Icon: LucideIcon;
  /** It was found before the last letters were typed. */
  isOfEarlierText?: boolean;
}

/** The merchants whose name, number or ID holds the text. */
function useMerchants(typed: string): { results: Found[]; isWaiting: boolean } {
  const t = useStore(MESSAGES);
  const mayRead = useMayDo()('merchants.read');
  const isAsked = typed.length >= SHORTEST_SEARCH && mayRead;
  const { data, isPending } = useQuery({ ...findMerchantsQuery(typed, MOST_MERCHANTS), enabled: isAsked });
  const results = (isAsked ? (data ?? []) : []).map((merchant) => ({
    to: merchantPath(merchant.id),
    label: merchant.fullName,
    detail: [merchant.merchantId, merchant.phone && unbroken(formatPhone(merchant.phone))].filter(Boolean).join(' · '),
    kind: t.merchant,
    Icon: Users,
  }));
  return { results, isWaiting: isAsked && isPending };
}

/** Finds the transactions to a complete phone number that was paid. */
function useRecipient(typed: string): { results: Found[]; isWaiting: boolean } {
  const t = useStore(MESSAGES);
  const phone = recipientSearch(typed);
  const mayRead = useMayDo()('recovery.read');
  const isAsked = phone !== undefined && mayRead;
  const { data, isPending } = useInfiniteQuery({ ...transfersToQuery(phone ?? ''), enabled: isAsked });
  const latest = isAsked ? data?.[0] : undefined;
  if (!latest) return { results: [], isWaiting: isAsked && isPending };
  const result = {
    to: transfersToPath(phone ?? ''),
    label: t.to({ phone: unbroken(formatSearched(phone ?? '')) }),
    detail: t.latest({
      when: formatDay(latest.createdAt),
      amount: formatAmount(latest.sourceAmount, latest.sourceCurrency),
    }),
    kind: t.recipient,
    Icon: Smartphone,
  };
  return { results: [result], isWaiting: false };
}

function useResults(typed: string, pages: readonly SearchPage[]): { results: Found[]; isWaiting: boolean } {
  const t = useStore(MESSAGES);
  const settled = useSettled(typed.trim(), TYPING_PAUSE_MS);
  const isOfEarlierText = settled !== typed.trim();
  const transaction = useMayDo()('recovery.read') ? transactionTarget(typed) : undefined;
  const merchants = useMerchants(transaction ? '' : merchantSearch(settled));
  const recipient = useRecipient(settled);
  const ofTransaction = transaction && {
    to: transaction,
    label: t.transaction({ id: typed.trim() }),
    detail: t.transactionDetail,
    Icon: ArrowLeftRight,
  };
  return {
    isWaiting: merchants.isWaiting || recipient.isWaiting,
    results: [
      ...(ofTransaction ? [ofTransaction] : []),
      ...[...merchants.results, ...recipient.results].map((found) => ({ ...found, isOfEarlierText })),
      ...matchingPages(pages, typed).map((page) => ({ ...page, kind: t.page, Icon: FileText })),
    ],
  };
}

interface AdminSearchProps {
  /** The pages that the administrator's role opens. */
  pages: readonly SearchPage[];
  onClose: () => void;
}

/** Finds pages by a copied id or phone number, or by part of a name. */
export function AdminSearch({ pages, onClose }: AdminSearchProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { results, isWaiting } = useResults(typed, pages);
  const active = Math.min(chosen, results.length - 1);
  useEffect(() => input.current?.focus(), []);
  const open = (result: Found | undefined): void => {
    if (!result) return;
    onClose();
    void navigate(result.to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && !isWaiting && !results[active]?.isOfEarlierText) open(results[active]);
    if (!step) return;
    event.preventDefault();
    setChosen((active + step + results.length) % Math.max(1, results.length));
  };
  return (
    <Dialog title={t.title} shape="palette" onClose={onClose}>
      <div className="px-5 pt-1 pb-4">
        <div className="relative">
          <SearchInput
            ref={input}
            role="combobox"
            aria-label={t.label}
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            placeholder={t.placeholder}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <Results id={id} results={results} active={active} onOpen={open} />
        <p role="status" className="text-small text-ink2">
          {results.length === 0 && !isWaiting ? <span className="mt-3 block">{t.none}</span> : null}
        </p>
        <p className="mt-3 border-t border-line pt-3 text-caption text-ink3 max-md:hidden">{t.keys}</p>
      </div>
    </Dialog>
  );
}

interface ResultsProps {
  id: string;
  results: readonly Found[];
  active: number;
  onOpen: (result: Found) => void;
}

function Results({ id, results, active, onOpen }: ResultsProps) {
  const t = useStore(MESSAGES);
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t.results} className="mt-2 grid">
      {results.map((result, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above moves through the options, and opens one.
        <div
          key={result.to}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 hover:bg-sunken aria-selected:bg-primary-soft"
          onClick={() => onOpen(result)}
        >
          <result.Icon aria-hidden className="size-4.5 shrink-0 text-ink2" />
          <span className="min-w-0">
            <span className="block text-small font-medium [overflow-wrap:anywhere]">{result.label}</span>
            {result.detail ? <span className="nums block text-caption text-ink2">{result.detail}</span> : null}
          </span>
          {result.kind ? <span className="ml-auto pl-2 text-caption text-ink3">{result.kind}</span> : null}
        </div>
      ))}
    </div>
  );
}
