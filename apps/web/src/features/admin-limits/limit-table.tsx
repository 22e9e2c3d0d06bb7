import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { LIMIT_KINDS, type TierLimits } from '@vuka/contracts/http/tier-limits';
import { TIERS } from '@vuka/contracts/http/tiers';
import { useState } from 'react';
import { QueryCards } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatWhole } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { TIER_NAMES } from '#shared/limits/tier-badge.tsx';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { CurrencyTag } from '#shared/ui/currency-tag.tsx';
import { tierLimitsQuery } from './admin-limits.api.ts';
import { LimitForm } from './limit-form.tsx';
import { LIMIT_NAMES } from './limit-names.ts';

const MESSAGES = i18n('admin/limit-table', {
  change: 'Change',
  cancel: 'Cancel',
  loadFailed: 'The limits could not be loaded',
});

/** The limits in force, a card for each tier, beside each other where there is room to compare them. */
export function LimitTable() {
  const t = useStore(MESSAGES);
  const query = useQuery(tierLimitsQuery());
  return (
    <QueryCards query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
      {(limits) => (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
          {TIERS.map((tier) => (
            <TierCard key={tier} tier={tier} limits={limits.filter((each) => each.tier === tier)} />
          ))}
        </div>
      )}
    </QueryCards>
  );
}

function TierCard({ tier, limits }: { tier: TierLimits['tier']; limits: readonly TierLimits[] }) {
  const names = useStore(TIER_NAMES);
  return (
    <Card title={names[tier]}>
      <div className="divide-y divide-line px-4 pb-2 sm:px-5">
        {limits.map((each) => (
          <CurrencyLimits key={each.currency} limits={each} />
        ))}
      </div>
    </Card>
  );
}

function CurrencyLimits({ limits }: { limits: TierLimits }) {
  const t = useStore(MESSAGES);
  const names = useStore(LIMIT_NAMES);
  const tiers = useStore(TIER_NAMES);
  const mayChange = useMayDo()('limits.change');
  const [isOpen, setIsOpen] = useState(false);
  const press = isOpen ? t.cancel : t.change;
  return (
    <section aria-label={`${tiers[limits.tier]}, ${limits.currency}`} className="py-3">
      <div className="flex items-center justify-between gap-4">
        <h3>
          <CurrencyTag currency={limits.currency} />
        </h3>
        {mayChange ? (
          <Button
            variant="quiet"
            size="small"
            className="-mx-3"
            aria-label={`${press}: ${tiers[limits.tier]}, ${limits.currency}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {press}
          </Button>
        ) : null}
      </div>
      {isOpen ? (
        <LimitForm limits={limits} onDone={() => setIsOpen(false)} />
      ) : (
        <dl className="mt-2 grid gap-1.5 text-small">
          {LIMIT_KINDS.map((kind) => (
            <div key={kind} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-ink2">{names[kind]}</dt>
              <dd className="nums ml-auto font-medium">{formatWhole(limits[kind])}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
