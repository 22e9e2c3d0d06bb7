import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { VolumeDay } from '@vuka/contracts/http/merchants';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { type DayChart, DayCharts } from '#shared/admin/day-charts.tsx';
import { formatDay } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { walletMarks } from '#shared/ui/wallet-colour.ts';

const MESSAGES = i18n('admin/merchant-volume', {
  sent: params('Sent and settled per day, {currency}'),
  nothing: 'Nothing was sent in these 30 days',
});

/** What a merchant's settled transfers sent on each of the last thirty days, the busier wallet first. */
export function MerchantVolume({ title, days }: { title: string; days: readonly VolumeDay[] }) {
  const t = useStore(MESSAGES);
  const charts = WALLET_CURRENCIES.map((currency): DayChart & { daysWithVolume: number } => {
    const values = days.map(({ sent }) => Number(sent[currency]));
    const label = t.sent({ currency });
    // Only for the height of a bar; the texts come from the decimal string.
    const format = (_value: number, day: number) => formatAmount(days[day]?.sent[currency] ?? '0', currency);
    return {
      tab: currency,
      label,
      series: [{ label, ...walletMarks(currency), values, format }],
      daysWithVolume: values.filter((value) => value > 0).length,
    };
  }).toSorted((one, other) => other.daysWithVolume - one.daysWithVolume);
  const [first, ...others] = charts;
  return first ? (
    <DayCharts
      title={title}
      names={days.map(({ day }) => formatDay(day))}
      charts={[first, ...others]}
      empty={t.nothing}
    />
  ) : null;
}
