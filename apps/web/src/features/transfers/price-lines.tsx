import { formatAmount } from '#shared/format/money.ts';
import { formatRate } from '#shared/format/rate.ts';
import { Countdown } from './countdown.tsx';
import { currenciesOf } from './transfer-details.ts';
import type { Price, TransferDraft } from './transfer-draft.ts';

const TEXT = { rate: 'Rate', fee: 'Fee' } as const;

/** The rate both ways, so that the sum can be checked by hand. */
export function RateText({ direction, rate }: { direction: TransferDraft['direction']; rate: number }) {
  const { source, target } = currenciesOf(direction);
  return (
    <>
      {formatRate(source, target, rate)}
      <span className="block text-caption font-normal text-ink3">{formatRate(target, source, 1 / rate)}</span>
    </>
  );
}

export function PriceLines({ direction, price }: { direction: TransferDraft['direction']; price: Price }) {
  const { source } = currenciesOf(direction);
  return (
    <div className="text-small text-ink2">
      <dl className="nums grid gap-1.5">
        <div className="flex justify-between gap-4">
          <dt>{TEXT.rate}</dt>
          <dd className="text-right font-medium text-ink">
            <RateText direction={direction} rate={price.rate} />
          </dd>
        </div>
        {price.fee === undefined ? null : (
          <div className="flex justify-between gap-4">
            <dt>{TEXT.fee}</dt>
            <dd className="font-medium text-ink">{formatAmount(price.fee, source)}</dd>
          </div>
        )}
      </dl>
      {price.heldUntilMs === undefined ? null : (
        <p className="mt-2 text-caption text-ink3">
          <Countdown untilMs={price.heldUntilMs} />
        </p>
      )}
    </div>
  );
}
