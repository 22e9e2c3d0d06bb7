import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { amountInWords } from '#shared/format/amount-in-words.ts';
import { amountDigits, dropDecimals, formatAmount, formatWhole } from '#shared/format/money.ts';
import { i18n, language } from '#shared/i18n/i18n.ts';
import { AmountInput } from '#shared/ui/amount-input.tsx';
import { Card } from '#shared/ui/card.tsx';
import { FieldError } from '#shared/ui/field-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { PriceLines } from './price-lines.tsx';
import { currenciesOf } from './transfer-details.ts';
import type { Price, TransferDraft } from './transfer-draft.ts';
import { isUnusual, usualAmount } from './usual-amount.ts';

const MESSAGES = i18n('amount-card', {
  amount: 'Amount',
  send: 'You send',
  receive: 'Recipient receives',
  available: 'Available balance',
  all: 'Use all',
  unusual: params('This is more than 5 times what you usually send ({usual}).'),
  rateFailed: 'Unable to load exchange rates',
});

interface AmountCardProps {
  draft: TransferDraft;
  balance: string | undefined;
  price: Price | undefined;
  hasPriceFailed: boolean;
  error: string | undefined;
  onAmount: (digits: string) => void;
  onBlur: () => void;
}

function Available({
  balance,
  currency,
  onUseAll,
}: {
  balance: string | undefined;
  currency: string;
  onUseAll: () => void;
}) {
  const t = useStore(MESSAGES);
  return (
    <div className="nums flex min-h-8 flex-wrap items-center gap-x-1.5 text-small text-ink2">
      <span>{t.available}:</span>
      {balance === undefined ? (
        <Skeleton className="h-4 w-24" />
      ) : (
        <span className="font-medium text-ink">{formatAmount(balance, currency)}</span>
      )}
      {balance !== undefined && !balance.startsWith('0.') ? (
        <button
          type="button"
          className="-my-1 ml-auto inline-flex min-h-8 items-center rounded-chip px-2 font-semibold text-primary hover:bg-primary-soft"
          onClick={onUseAll}
        >
          {t.all}
        </button>
      ) : null}
    </div>
  );
}

const WORDS_FROM = 100_000n;

/** Two nets for a zero too many: the amount in words, and a word where it is far from what the user usually sends. */
function AmountCheck({ digits, currency }: { digits: string; currency: string }) {
  const t = useStore(MESSAGES);
  const current = useStore(language);
  const { data } = useQuery({ ...transactionsQuery('dashboard'), meta: { silent: true } });
  const usual = usualAmount(data ?? [], currency);
  const inWords = digits !== '' && BigInt(digits) >= WORDS_FROM ? amountInWords(digits, current) : '';
  return (
    <>
      {inWords ? <p className="mt-1.5 text-small text-ink2 first-letter:uppercase">{inWords}</p> : null}
      <p role="status" className="text-small">
        {usual !== undefined && isUnusual(digits, usual) ? (
          <span className="mt-1.5 flex items-start gap-1.5 rounded-chip bg-warn-soft px-2.5 py-1.5 text-warn-ink">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t.unusual({ usual: formatAmount(usual.toString(), currency) })}
          </span>
        ) : null}
      </p>
    </>
  );
}

export function AmountCard({ draft, balance, price, hasPriceFailed, error, onAmount, onBlur }: AmountCardProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const { source, target } = currenciesOf(draft.direction);
  return (
    <Card>
      <div className="p-4 sm:px-5">
        <label htmlFor={id} className="text-small font-medium text-ink2">
          {t.send}
          <span className="sr-only">: {t.amount}</span>
        </label>
        <div
          className={`mt-1 flex items-baseline gap-2 border-b-2 pb-1 focus-within:border-primary ${error ? 'border-bad' : 'border-line'}`}
        >
          <AmountInput id={id} digits={draft.amount} isWrong={Boolean(error)} onAmount={onAmount} onBlur={onBlur} />
          <span className="text-card font-semibold text-ink2">{source}</span>
        </div>
        <FieldError id={`${id}-error`} text={error} />
        <AmountCheck digits={draft.amount} currency={source} />
        <div className="mt-2">
          <Available
            balance={balance}
            currency={source}
            onUseAll={() => onAmount(amountDigits(dropDecimals(balance ?? '')))}
          />
        </div>
      </div>
      <div className="border-t border-line p-4 sm:px-5">
        <p className="text-small font-medium text-ink2">{t.receive}</p>
        <p
          className="nums mt-1 flex min-h-8.5 items-baseline gap-2 text-h1 font-bold tracking-tight"
          aria-live="polite"
        >
          <span className={draft.amount === '' ? 'text-ink3' : ''}>{formatWhole(price?.targetAmount ?? '0')}</span>
          <span className="text-body font-semibold text-ink2">{target}</span>
        </p>
        <div className="mt-3 min-h-24">
          {price ? <PriceLines direction={draft.direction} price={price} hasAmount={draft.amount !== ''} /> : null}
          {!price && hasPriceFailed ? <p className="text-small text-bad">{t.rateFailed}</p> : null}
          {!price && !hasPriceFailed ? <Skeleton className="h-4 w-48" /> : null}
        </div>
      </div>
    </Card>
  );
}
