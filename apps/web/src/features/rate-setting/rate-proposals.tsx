import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { RateProposal } from '@vuka/contracts/http/proposals';
import { RATED } from '@vuka/money/directions';
import { WaitingProposals } from '#shared/admin/waiting-proposals.tsx';
import { ratesQuery } from '#shared/api/rates.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { signedPercent } from './rate-input.ts';
import { RATE_PROPOSALS, rateHistoryQuery } from './rate-setting.api.ts';

const MESSAGES = i18n('admin/rate-proposals', {
  title: params('Buy rate from {from} to {to}'),
  markup: 'Markup',
  gets: params('{target} for 1 {source}'),
  buyRate: 'Buy rate',
  change: params('{from} to {to} ({percent})'),
  fromTo: params('{from} to {to}'),
});

export function RateProposals() {
  const t = useStore(MESSAGES);
  return (
    <WaitingProposals
      list={RATE_PROPOSALS}
      right="rates.decide"
      titleOf={({ before, after }) => t.title({ from: before.buyRate.toFixed(3), to: after.buyRate.toFixed(3) })}
      facts={(proposal) => factsOf(proposal, t)}
      changes={[rateHistoryQuery().queryKey, ratesQuery().queryKey]}
    />
  );
}

/** What the second administrator compares: both directions, each with its change. */
function factsOf({ before, after }: RateProposal, t: ReturnType<typeof MESSAGES.get>): [string, string][] {
  const change = (name: 'buyRate' | 'kesToTzs' | 'tzsToKes', decimals: number): string =>
    t.change({
      from: before[name].toFixed(decimals),
      to: after[name].toFixed(decimals),
      percent: signedPercent(before[name], after[name]),
    });
  const to = `${after.markup}%`;
  return [
    [t.buyRate, change('buyRate', 3)],
    [t.markup, before.markup === after.markup ? to : t.fromTo({ from: `${before.markup}%`, to })],
    [t.gets(RATED), change('kesToTzs', 3)],
    [t.gets({ source: RATED.target, target: RATED.source }), change('tzsToKes', 5)],
  ];
}
