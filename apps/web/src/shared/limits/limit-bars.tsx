import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { OwnLimits } from '@vuka/contracts/http/limits';
import { formatAmount, formatWhole, toMinor } from '#shared/format/money.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';

const MESSAGES = i18n('limit-bars', {
  perTransaction: 'Per transaction',
  upTo: params('up to {limit}'),
  day: 'To send today',
  month: 'To send this month',
  dayIn: 'To receive today',
  monthIn: 'To receive this month',
  left: params('{left} left of {limit}'),
});

type Limits = OwnLimits['limits'][number];

/** The limits of one currency: what may be sent at once, and how much is left of each day and month. */
export function LimitBars({ limits }: { limits: Limits }) {
  const t = useStore(MESSAGES);
  const { currency, perTransaction } = limits;
  const hasReceived = limits.monthIn.used !== '0.00';
  const periods = hasReceived ? (['day', 'month', 'dayIn', 'monthIn'] as const) : (['day', 'month'] as const);
  return (
    <div className="grid gap-3 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3>
          <CurrencyTag currency={currency} />
        </h3>
        <p className="nums text-small text-ink2">
          {t.perTransaction}: {t.upTo({ limit: formatAmount(perTransaction, currency) })}
        </p>
      </div>
      {periods.map((name) => (
        <Bar key={name} label={t[name]} period={limits[name]} currency={currency} />
      ))}
    </div>
  );
}

function Bar({ label, period, currency }: { label: string; period: Limits['day']; currency: string }) {
  const t = useStore(MESSAGES);
  const share = leftPercent(period);
  const leftOf = (limit: string) => t.left({ left: formatWhole(period.left), limit });
  const limit = formatAmount(period.limit, currency);
  return (
    <div className="grid gap-1">
      <div className="grid text-small sm:flex sm:justify-between">
        <span className="text-ink2">{label}</span>
        <span className="nums font-medium">{leftOf(unbroken(limit))}</span>
      </div>
      <div
        role="progressbar"
        aria-label={`${label}, ${currency}`}
        aria-valuenow={share}
        aria-valuetext={leftOf(limit)}
        className="h-2 overflow-hidden rounded-full bg-line"
      >
        <div
          className={`h-full rounded-full ${share <= 10 ? 'bg-under-way' : 'bg-primary'}`}
          style={{ width: `${share}%` }}
        />
      </div>
    </div>
  );
}

/** The bar shows what is left, as its words do: at least one percent, unless nothing is. */
function leftPercent({ limit, left }: Limits['day']): number {
  const [whole, part] = [toMinor(limit) || 1n, toMinor(left) ?? 0n];
  return Number((part * 100n + whole - 1n) / whole);
}
