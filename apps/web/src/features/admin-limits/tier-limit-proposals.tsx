import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { LIMIT_KINDS } from '@vuka/contracts/http/tier-limits';
import { WaitingProposals } from '#shared/admin/waiting-proposals.tsx';
import { formatAmount, formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { TIER_NAMES } from '#shared/limits/tier-badge.tsx';
import { TIER_LIMIT_PROPOSALS, TIER_LIMITS_KEY } from './admin-limits.api.ts';
import { LIMIT_NAMES } from './limit-names.ts';

const MESSAGES = i18n('admin/tier-limit-proposals', {
  title: params('Higher limits: {tier}, {currency}'),
  fromTo: params('{from} to {to}'),
});

/** Raised limits that wait for another administrator. */
export function TierLimitProposals() {
  const t = useStore(MESSAGES);
  const names = useStore(LIMIT_NAMES);
  const tiers = useStore(TIER_NAMES);
  return (
    <WaitingProposals
      list={TIER_LIMIT_PROPOSALS}
      right="limits.decide"
      titleOf={({ after }) => t.title({ tier: tiers[after.tier], currency: after.currency })}
      facts={({ before, after }) =>
        LIMIT_KINDS.filter((kind) => before[kind] !== after[kind]).map((kind) => {
          const change = { from: formatWhole(before[kind]), to: formatAmount(after[kind], after.currency) };
          return [names[kind], t.fromTo(change)] as const;
        })
      }
      changes={[TIER_LIMITS_KEY]}
    />
  );
}
