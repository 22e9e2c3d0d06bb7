import { useStore } from '@nanostores/react';
import { corridorOf } from '@vuka/money/directions';
import { ArrowRight } from 'lucide-react';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatAmount, toWholeUnits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Notice } from '#shared/ui/notice.tsx';
import { feeOf, type Price, type TransferDraft } from './transfer-draft.ts';

const MESSAGES = i18n('price-change', {
  amount: 'The rate has changed',
  amountDetail: 'Check the new amount and enter your PIN to confirm it.',
  fee: 'The fee has changed',
  feeDetail: 'Check the new fee and enter your PIN to confirm it.',
  both: 'The price has changed',
  bothDetail: 'Check the new amount and fee, and enter your PIN to confirm them.',
  amountLabel: 'Recipient receives',
  feeLabel: 'Fee',
  isNow: 'is now',
});

/** A price as a key. The PIN confirms one price: a different key needs a new confirmation. */
export function priceKey(price: Price | undefined): string {
  return price ? `${toWholeUnits(price.targetAmount) ?? ''}/${feeOf(price)}` : '';
}

function Change({ label, before, after }: { label: string; before: string; after: string }) {
  const t = useStore(MESSAGES);
  return (
    <p className="nums my-0.5 flex flex-wrap items-center gap-x-2 text-body font-semibold">
      <span className="text-small font-normal">{label}</span>
      <s className="font-normal opacity-90">{before}</s>
      <ArrowRight aria-label={t.isNow} className="size-4" />
      <span>{after}</span>
    </p>
  );
}

interface PriceChangeProps {
  direction: TransferDraft['direction'];
  /** The reviewed price. */
  before: Price;
  after: Price;
}

/** Says that the price differs from the reviewed one. Renders nothing if it does not. */
export function PriceChange({ direction, before, after }: PriceChangeProps) {
  const t = useStore(MESSAGES);
  const { source, target } = corridorOf(direction);
  const hasAmountChanged = toWholeUnits(before.targetAmount) !== toWholeUnits(after.targetAmount);
  const hasFeeChanged = feeOf(before) !== feeOf(after);
  if (!hasAmountChanged && !hasFeeChanged) return null;
  const single = hasAmountChanged ? 'amount' : 'fee';
  const what = hasAmountChanged && hasFeeChanged ? 'both' : single;
  return (
    <Notice tone="warn" role="alert" title={t[what]}>
      {hasAmountChanged ? (
        <Change
          label={t.amountLabel}
          before={formatAmount(before.targetAmount, target)}
          after={formatAmount(after.targetAmount, target)}
        />
      ) : null}
      {hasFeeChanged ? (
        <Change
          label={t.feeLabel}
          before={formatExactAmount(feeOf(before), source)}
          after={formatExactAmount(feeOf(after), source)}
        />
      ) : null}
      <p>{t[`${what}Detail`]}</p>
    </Notice>
  );
}
