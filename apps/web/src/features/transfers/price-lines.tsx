import { useStore } from '@nanostores/react';
import { corridorOf } from '@vuka/money/directions';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatInverse, formatRate } from '#shared/format/rate.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Countdown } from './countdown.tsx';
import type { Price, TransferDraft } from './transfer-draft.ts';

const MESSAGES = i18n('price-lines', {
  rate: 'Rate',
  fee: 'Fee',
  noAmount: 'Enter an amount to hold this rate for a minute.',
  notHeld: 'The rate is confirmed when you review.',
});

/** The rate, and its inverse below a rate of 1, whose few digits are not enough to check the amounts by hand. */
export function RateText({ direction, rate }: { direction: TransferDraft['direction']; rate: number }) {
  const { source, target } = corridorOf(direction);
  return (
    <>
      {formatRate(source, target, rate)}
      {rate < 1 ? (
        <span className="block text-caption font-normal text-ink3">{formatInverse(source, target, rate)}</span>
      ) : null}
    </>
  );
}

interface PriceLinesProps {
  draft: TransferDraft;
  price: Price;
}

/** Every line is rendered from the start, so that nothing moves when the quote arrives. */
export function PriceLines({ draft: { direction, amount, attempt }, price }: PriceLinesProps) {
  const t = useStore(MESSAGES);
  const { source } = corridorOf(direction);
  const unheldNote = amount ? t.notHeld : t.noAmount;
  const note = price.heldUntilMs === undefined ? unheldNote : <Countdown untilMs={price.heldUntilMs} />;
  return (
    <div className="text-small text-ink2">
      <dl className="nums grid gap-1.5">
        <div className="flex justify-between gap-4">
          <dt>{t.rate}</dt>
          <dd className="text-right font-medium text-ink">
            <RateText direction={direction} rate={price.rate} />
          </dd>
        </div>
        <div className="flex justify-between gap-4">
          <dt>{t.fee}</dt>
          <dd className="font-medium text-ink">
            {price.fee === undefined ? '–' : formatExactAmount(price.fee, source)}
          </dd>
        </div>
      </dl>
      {/* The rate of an attempt is fixed. */}
      <p className="mt-2 text-caption text-ink3">{attempt ? null : note}</p>
    </div>
  );
}
