import { useStore } from '@nanostores/react';
import type { LegState, Legs } from '@vuka/contracts/http/recovery';
import { Circle, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/leg-list', {
  held: 'The sender’s money is reserved',
  payoutWritten: 'The payout is recorded',
  providerAsked: 'The provider was asked to pay',
  providerPaid: 'The provider has paid',
  captured: 'The money left the wallet',
  released: 'The money is back with the sender',
  done: 'Done',
  waiting: 'Waiting',
  not_begun: 'Not started',
  failed: 'Failed',
});

const STATES: Record<Exclude<LegState, 'not_needed'>, { colour: string; Icon: LucideIcon }> = {
  done: { colour: 'text-ok-ink', Icon: CircleCheck },
  waiting: { colour: 'text-warn-ink', Icon: Clock },
  not_begun: { colour: 'text-ink3', Icon: Circle },
  failed: { colour: 'text-bad-ink', Icon: CircleX },
};

const ORDER = ['held', 'payoutWritten', 'providerAsked', 'providerPaid', 'captured', 'released'] as const;

/** How far each leg of a transaction is, in order, without those that it does not need. */
export function LegList({ legs }: { legs: Legs }) {
  const t = useStore(MESSAGES);
  return (
    <ul className="grid gap-1.5">
      {ORDER.map((leg) => {
        const state = legs[leg];
        if (state === 'not_needed') return null;
        const { colour, Icon } = STATES[state];
        return (
          <li key={leg} className="grid grid-cols-[1fr_auto] items-start gap-x-4">
            <span className="min-w-0">{t[leg]}</span>
            <span className={`inline-flex items-center gap-1.5 text-caption font-semibold ${colour}`}>
              <Icon aria-hidden className="size-4" />
              {t[state]}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
