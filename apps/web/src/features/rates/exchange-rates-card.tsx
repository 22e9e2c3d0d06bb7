import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { RATED } from '@vuka/money/directions';
import { type DisplayRates, ratesQuery } from '#shared/api/rates.api.ts';
import { formatTimeOn } from '#shared/format/date.ts';
import { formatRate, formatThousand } from '#shared/format/rate.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const MESSAGES = i18n('exchange-rates-card', {
  title: 'Exchange Rates',
  updated: 'Updated',
  failed: 'Unable to load exchange rates',
});

/** As high as the line of the last 30 days, which loads later. */
const TREND_SKELETON = <div className="h-23 grow rounded-chip bg-sunken" />;

const RateTrend = lazyExtra(() => import('./rate-trend.tsx').then((file) => file.RateTrend), TREND_SKELETON);

interface TileProps {
  direction: string;
  rate: string | undefined;
  /** Below a rate of 1, whose few digits are not enough to check an amount by hand. Empty while it loads. */
  note?: string;
}

function Tile({ direction, rate, note }: TileProps) {
  return (
    <div className="rounded-control bg-sunken px-4 py-3">
      <p className="text-caption font-medium text-ink2">{direction}</p>
      <p className="nums mt-0.5 min-h-6 font-semibold">{rate ?? <Skeleton className="h-5 w-40" />}</p>
      {note === undefined ? null : <p className="nums min-h-4.5 text-caption text-ink3">{note}</p>}
    </div>
  );
}

const { source, target } = RATED;

function Tiles({ rates }: { rates: DisplayRates | undefined }) {
  return (
    <div className="grid gap-3 px-4 pt-1 pb-4 sm:grid-cols-2 sm:px-5 sm:pb-5 lg:grid-cols-1">
      <Tile direction={`${source} → ${target}`} rate={rates && formatRate(source, target, rates.kesToTzs)} />
      <Tile
        direction={`${target} → ${source}`}
        rate={rates && formatRate(target, source, rates.tzsToKes)}
        note={rates ? formatThousand(target, source, rates.tzsToKes) : ''}
      />
    </div>
  );
}

export function ExchangeRatesCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(ratesQuery());
  const updated = data?.updatedAt && (
    <p className="nums text-caption text-ink3">
      {t.updated} {formatTimeOn(data.updatedAt)}
    </p>
  );
  return (
    <Card title={t.title} aside={updated} className="flex h-full flex-col">
      {!data && error ? (
        <LoadError title={t.failed} onRetry={() => void refetch()} />
      ) : (
        <>
          <Tiles rates={data} />
          <div className="flex flex-1 flex-col px-4 pb-4 sm:px-5">
            {data ? <RateTrend updatedAt={data.updatedAt} meanwhile={TREND_SKELETON} /> : TREND_SKELETON}
          </div>
        </>
      )}
    </Card>
  );
}
