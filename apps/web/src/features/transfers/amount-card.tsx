import { useStore } from '@nanostores/react';
import { corridorOf } from '@vuka/money/directions';
import { type ReactNode, useId } from 'react';
import { formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { AmountInput, AvailableBalance } from '#shared/ui/amount-input.tsx';
import { Card } from '#shared/ui/card.tsx';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';
import { Figure } from '#shared/ui/figure.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { PriceLines } from './price-lines.tsx';
import type { TransferDraft } from './transfer-draft.ts';
import type { PriceView } from './use-price.ts';

const AmountCheck = lazyExtra(() => import('./amount-check.tsx').then((file) => file.AmountCheck));

const LimitNotice = lazyExtra(() => import('#shared/limits/limit-notice.tsx').then((file) => file.LimitNotice));

const MESSAGES = i18n('amount-card', {
  amount: 'Amount',
  send: 'You send',
  receive: 'Recipient receives',
  rateFailed: 'Unable to load exchange rates',
  tryAgain: 'Try again',
});

interface AmountCardProps {
  /** The choice of the direction. */
  choice: ReactNode;
  draft: TransferDraft;
  balance: string | undefined;
  priceView: Pick<PriceView, 'price' | 'error' | 'refresh'>;
  error: string | undefined;
  onAmount: (digits: string) => void;
  onUseAll: () => Promise<void>;
  onBlur: () => void;
  /** See LimitNotice. */
  onAboveLimit: (isAbove: boolean) => void;
}

export function AmountCard({
  choice,
  draft,
  balance,
  priceView: { price, error: priceError, refresh },
  error,
  onAmount,
  onUseAll,
  onBlur,
  onAboveLimit,
}: AmountCardProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const { source, target } = corridorOf(draft.direction);
  return (
    <Card>
      <div className="p-4 sm:px-5">
        <div className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <label htmlFor={id} className="text-small font-medium text-ink2">
            {t.send}
          </label>
          {choice}
        </div>
        <AmountInput
          id={id}
          name={`${t.send}: ${t.amount}`}
          digits={draft.amount}
          currency={source}
          error={error}
          onAmount={onAmount}
          onBlur={onBlur}
        />
        <AmountCheck draft={draft} />
        <div className="mt-2 grid gap-2">
          <AvailableBalance balance={balance} currency={source} onUseAll={onUseAll} />
          {/* Beside an error it would be a second maximum, and it counts an unanswered transfer that was accepted. */}
          {draft.amount === '' || error || draft.attempt ? null : (
            <LimitNotice
              amount={draft.amount}
              currency={source}
              place={{ fieldId: id, enter: onAmount }}
              onAbove={onAboveLimit}
            />
          )}
        </div>
      </div>
      <div className="border-t border-line p-4 sm:px-5">
        <p className="text-small font-medium text-ink2">{t.receive}</p>
        <p
          className="nums mt-1 flex min-h-8.5 flex-wrap items-baseline justify-between gap-x-2 text-h1 font-bold tracking-amount"
          aria-live="polite"
        >
          <span className={`min-w-0 ${draft.amount === '' || error ? 'text-ink3' : ''}`}>
            <Figure text={formatWhole(price?.targetAmount ?? '0')} />
          </span>
          <CurrencyTag currency={target} />
        </p>
        <div className="mt-3 min-h-18">
          {price ? <PriceLines draft={draft} price={price} /> : null}
          {!price && priceError ? (
            <p className="text-small text-bad">
              {t.rateFailed}{' '}
              <button type="button" className="min-h-8 px-2 font-semibold text-primary" onClick={refresh}>
                {t.tryAgain}
              </button>
            </p>
          ) : null}
          {!price && !priceError ? <Skeleton className="h-4 w-48" /> : null}
        </div>
      </div>
    </Card>
  );
}
