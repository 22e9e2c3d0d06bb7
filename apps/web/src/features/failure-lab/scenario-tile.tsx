import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { ActiveFailure, FailureScenario } from '@vuka/contracts/http/failure-lab';
import { CircleCheck, Hourglass, Undo2, Zap } from 'lucide-react';
import { useId } from 'react';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Switch } from '#shared/ui/switch.tsx';
import { SCENARIO_WORDS } from './scenario-words.ts';

const MESSAGES = i18n('admin/failure-tile', {
  paid_once: 'Paid once',
  returned: 'Money back',
  reserved: 'Stays reserved',
  left: count({ one: 'On for {count} payout', many: 'On for {count} payouts' }),
  untilOff: 'On until switched off',
  inCurrency: params('in {currency}'),
  toPhone: params('to {phone}'),
});

/** Where the money ends. Amber is left to the network that misbehaves, at the top of the page. */
const OUTCOMES = {
  paid_once: { box: 'bg-ok-soft', ink: 'text-ok-ink', Icon: CircleCheck },
  returned: { box: 'bg-primary-soft', ink: 'text-primary-ink', Icon: Undo2 },
  reserved: { box: 'bg-line', ink: 'text-ink2', Icon: Hourglass },
} as const;

interface ScenarioTileProps {
  scenario: FailureScenario;
  active: ActiveFailure | undefined;
  /** The state that is being requested. */
  pending: 'on' | 'off' | undefined;
  onSwitch: (isOn: boolean) => void;
}

/**
 * One scenario: what the network does, where the money must end, and a switch. The whole tile is the switch's label.
 */
export function ScenarioTile({ scenario, active, pending, onSwitch }: ScenarioTileProps) {
  const t = useStore(MESSAGES);
  const words = useStore(SCENARIO_WORDS);
  const id = useId();
  const { box, ink, Icon } = OUTCOMES[scenario.outcome];
  const isOn = pending ? pending === 'on' : active !== undefined;
  const name = words[`${scenario.id}.name`];
  return (
    <li
      className={`flex min-w-0 rounded-control ring-1 ring-inset ${active ? 'bg-primary-soft ring-2 ring-primary' : 'ring-line hover:bg-sunken'}`}
    >
      <label htmlFor={id} className="flex min-w-0 flex-1 cursor-pointer flex-col p-3 [overflow-wrap:anywhere]">
        <span className="flex items-start justify-between gap-3">
          <span className="min-w-0 font-semibold">{name}</span>
          <Switch id={id} label={name} describedBy={`${id}-detail`} isOn={isOn} onChange={onSwitch} />
        </span>
        {active ? <Aim active={active} /> : null}
        <span id={`${id}-detail`} className="flex flex-1 flex-col">
          <span className="mt-0.5 text-small text-pretty text-ink2">{words[`${scenario.id}.does`]}</span>
          <span className="mt-auto flex flex-wrap items-start gap-2 pt-2 text-caption text-ink2">
            <span
              className={`inline-flex max-w-full items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 font-semibold ${ink} ${active ? 'bg-surface' : box}`}
            >
              <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2.5} />
              {t[scenario.outcome]}
            </span>
            {/* Beside the mark, or below it where that leaves room for a word or two. */}
            <span className="min-w-0 flex-1 basis-32">{words[`${scenario.id}.money`]}</span>
          </span>
        </span>
      </label>
    </li>
  );
}

/** That it is on, and for which payouts: the one filled mark of a tile. */
function Aim({ active: { payoutsLeft, currency, phone } }: { active: ActiveFailure }) {
  const t = useStore(MESSAGES);
  const parts = [
    payoutsLeft === null ? t.untilOff : t.left(payoutsLeft),
    currency ? t.inCurrency({ currency }) : undefined,
    phone ? t.toPhone({ phone: unbroken(formatPhone(phone)) }) : undefined,
  ];
  return (
    <span className="flex py-1">
      <span className="nums inline-flex items-start gap-1 rounded-chip bg-primary py-0.5 pr-2.5 pl-1.5 text-caption font-semibold text-on-primary">
        <Zap aria-hidden className="mt-0.5 size-3.5 shrink-0" strokeWidth={2.5} />
        {parts.filter(Boolean).join(' ')}
      </span>
    </span>
  );
}
