import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { TransferDay } from '@vuka/contracts/http/overview';
import type { PayoutFloat } from '@vuka/contracts/http/reconciliation';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { formatAmount, groupDigits } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { Headline } from './headline.tsx';
import { overviewQuery } from './overview.api.ts';

const MESSAGES = i18n('admin/today-figures', {
  title: 'Today',
  volume: 'Settled today',
  outcome: params('{count} transfers: {settled} settled, {failed} failed, {open} in progress'),
  success: 'Success rate',
  successDetail: 'of the transfers that ended today',
  delivery: 'Time to deliver',
  deliveryDetail: 'median of the latest deliveries today',
  seconds: params('{count} s'),
  minutes: params('{count} min'),
  float: 'Float with the provider',
  agrees: 'agrees with our books',
  differs: params('{currency} differs from our books'),
  differ: params('{currencies} differ from our books'),
  notCompared: 'not compared with the provider yet',
  none: 'None yet',
  unavailable: 'Unavailable',
});

type Floats = readonly PayoutFloat[] | 'unavailable';

interface TodayFiguresProps {
  /** Undefined while they are loading, null if the administrator may not read them. */
  floats: Floats | null | undefined;
}

/** The figures by which the day is judged. A day begins at midnight in East Africa. */
export function TodayFigures({ floats }: TodayFiguresProps) {
  const t = useStore(MESSAGES);
  const { data, isPending } = useQuery(overviewQuery());
  const today = data?.transfers?.days.at(-1);
  const state = { isPending, unavailable: t.unavailable };
  return (
    <Card title={t.title}>
      <div className="grid grid-cols-2 gap-x-6 gap-y-4 px-4 pt-1 pb-5 sm:px-5 xl:grid-cols-4">
        <div className="col-span-2 sm:col-span-1">
          <Headline
            {...state}
            label={t.volume}
            values={today && WALLET_CURRENCIES.map((currency) => formatAmount(today.volumes[currency], currency))}
            detail={today && outcomeOf(today, t)}
          />
        </div>
        <Headline
          {...state}
          label={t.success}
          values={today && [successOf(today) ?? t.none]}
          detail={today && t.successDetail}
        />
        <Headline
          {...state}
          label={t.delivery}
          values={today && [deliveryOf(data?.transfers?.medianDeliveryMs, t)]}
          detail={today && t.deliveryDetail}
        />
        {floats === null ? null : <Float floats={floats} />}
      </div>
    </Card>
  );
}

type Texts = ReturnType<typeof MESSAGES.get>;

function outcomeOf({ settled, failed, open }: TransferDay, t: Texts): string {
  return t.outcome({ count: groupDigits(String(settled + failed + open)), settled, failed, open });
}

/** Rounded down: 100 % means all. */
function successOf({ settled, failed }: TransferDay): string | undefined {
  const ended = settled + failed;
  return ended === 0 ? undefined : `${Math.floor((settled / ended) * 1_000) / 10}%`;
}

/** "0.4 s", "12 s", "3 min" */
function deliveryOf(tookMs: number | null | undefined, t: Texts): string {
  if (tookMs === null || tookMs === undefined) return t.none;
  const seconds = tookMs / 1_000;
  if (seconds >= 100) return t.minutes({ count: Math.round(seconds / 60) });
  return t.seconds({ count: seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds) });
}

/** Names the currencies whose float differs from the books. */
function agreementOf(differing: readonly string[], t: Texts): string {
  const [currency, ...others] = differing;
  if (!currency) return t.agrees;
  return others.length > 0 ? t.differ({ currencies: differing.join(', ') }) : t.differs({ currency });
}

/** What is shown of the floats, in each of their states. */
function floatFigure(floats: Floats | undefined, t: Texts) {
  if (floats === 'unavailable') return { values: null, unavailable: t.unavailable };
  if (floats?.length === 0) return { values: null, unavailable: t.none, detail: t.notCompared };
  const differing = floats?.filter(({ differsSince }) => differsSince !== null).map(({ currency }) => currency) ?? [];
  return {
    values: floats?.map(({ providerBalance, currency }) => formatAmount(providerBalance, currency)),
    unavailable: t.none,
    detail: agreementOf(differing, t),
    tone: differing.length > 0 ? ('bad' as const) : undefined,
  };
}

/** The operator's money with the provider: when it runs out, no transfer can be paid. */
function Float({ floats }: { floats: Floats | undefined }) {
  const t = useStore(MESSAGES);
  return (
    <div className="col-span-2 sm:col-span-1">
      <Headline
        label={t.float}
        to={PATHS.reconciliation}
        isPending={floats === undefined}
        {...floatFigure(floats, t)}
      />
    </div>
  );
}
