import { useStore } from '@nanostores/react';
import type { Tier } from '@vuka/contracts/http/tiers';
import { BadgeCheck, Building2, TriangleAlert } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';

export const TIER_NAMES = i18n('tiers', {
  unverified: 'Not verified',
  verified: 'Verified',
  business: 'Business',
});

const LOOKS = {
  unverified: { tone: 'warn', Icon: TriangleAlert },
  verified: { tone: 'ok', Icon: BadgeCheck },
  business: { tone: 'ok', Icon: Building2 },
} as const;

/** What decides the limits of an account. */
export function TierBadge({ tier }: { tier: Tier }) {
  const t = useStore(TIER_NAMES);
  return <Badge {...LOOKS[tier]}>{t[tier]}</Badge>;
}
