import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { RATED } from '@vuka/money/directions';
import { groupDigits } from '#shared/format/money.ts';
import { formatRate, formatThousand } from '#shared/format/rate.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { profitMargin, signedPercent } from './rate-input.ts';

const MESSAGES = i18n('admin/rate-effect', {
  title: 'Merchants will see',
  example: 'A transfer',
  sent: params('{from} → {to}'),
  was: params('was {before}, {percent}'),
  same: 'same as now',
  margin: 'Our margin',
  marginOf: params('{percent}, {amount} of this transfer'),
});

/** A transfer of this many whole units shows what a rate means. */
const EXAMPLE = 1_000;

const inTarget = (rate: number): string => `${groupDigits(String(Math.round(EXAMPLE * rate)))} ${RATED.target}`;

interface RateEffectProps {
  buyRate: number;
  kesToTzs: number;
  tzsToKes: number;
  /** The sell rate in force, if there is one. */
  before: number | undefined;
}

/** What the typed rate means to merchants and to us, while it is typed. For display: the server computes the rates. */
export function RateEffect({ buyRate, kesToTzs, tzsToKes, before }: RateEffectProps) {
  const t = useStore(MESSAGES);
  const { source, target } = RATED;
  const change =
    before === undefined
      ? undefined
      : before.toFixed(3) === kesToTzs.toFixed(3)
        ? t.same
        : t.was({ before: inTarget(before), percent: signedPercent(before, kesToTzs) });
  return (
    <div role="status" className="border-t border-line pt-3">
      <dl className="nums grid max-w-wide gap-x-4 gap-y-3 text-small sm:grid-cols-3">
        <div>
          <dt className="text-ink2">{t.title}</dt>
          <dd className="font-semibold">{formatRate(source, target, kesToTzs)}</dd>
          <dd className="font-semibold">{formatRate(target, source, tzsToKes)}</dd>
          <dd className="font-semibold">{formatThousand(target, source, tzsToKes)}</dd>
        </div>
        <div>
          <dt className="text-ink2">{t.example}</dt>
          <dd className="font-semibold">
            {t.sent({ from: `${groupDigits(String(EXAMPLE))} ${source}`, to: inTarget(kesToTzs) })}
          </dd>
          <dd className="text-ink2">{change}</dd>
        </div>
        <div>
          <dt className="text-ink2">{t.margin}</dt>
          <dd className="font-semibold">
            {t.marginOf({
              percent: profitMargin({ buyRate, sellRate: kesToTzs }),
              amount: inTarget(Math.max(0, buyRate - kesToTzs)),
            })}
          </dd>
        </div>
      </dl>
    </div>
  );
}
