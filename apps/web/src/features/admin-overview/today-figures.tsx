import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { TransferDay } from '@vuka/contracts/http/overview';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { formatAmount, groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Figure } from './figure.tsx';
import { overviewQuery } from './overview.api.ts';

const MESSAGES = i18n('admin/today-figures', {
  transfers: 'Transfers today',
  outcome: params('{settled} settled, {failed} failed, {open} in progress'),
  success: 'Success rate',
  successDetail: 'of the transfers that ended today',
  none: 'None yet',
  volume: params('{currency} settled today'),
  unavailable: 'Unavailable',
});

/** What happened since midnight in East Africa. */
export function TodayFigures() {
  const t = useStore(MESSAGES);
  const { data, isPending } = useQuery(overviewQuery());
  const today = data?.transfers?.days.at(-1);
  const state = { isPending, unavailable: t.unavailable };
  return (
    <div className="grid gap-4 xs:grid-cols-2 lg:grid-cols-4">
      <Figure
        {...state}
        label={t.transfers}
        value={today && groupDigits(String(today.settled + today.failed + today.open))}
        detail={today && t.outcome({ settled: today.settled, failed: today.failed, open: today.open })}
      />
      <Figure {...state} label={t.success} value={today && (successOf(today) ?? t.none)} detail={t.successDetail} />
      {WALLET_CURRENCIES.map((currency) => (
        <Figure
          key={currency}
          {...state}
          label={t.volume({ currency })}
          value={today && formatAmount(today.volumes[currency], currency)}
        />
      ))}
    </div>
  );
}

/** Rounded down: 100 % means all. */
function successOf({ settled, failed }: TransferDay): string | undefined {
  const ended = settled + failed;
  return ended === 0 ? undefined : `${Math.floor((settled / ended) * 1_000) / 10}%`;
}
