import { count } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { FailureLab } from '@vuka/contracts/http/failure-lab';
import { CircleCheck, Zap } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { SCENARIO_WORDS } from './scenario-words.ts';

const MESSAGES = i18n('admin/failure-lab-state', {
  behaves: 'The mobile network behaves',
  behavesDetail: 'Switch a failure on below, then send money to a phone.',
  misbehaves: 'The mobile network misbehaves',
  others: count({
    one: '{count} scenario was set directly on the simulator',
    many: '{count} scenarios were set directly on the simulator',
  }),
  allOff: 'Switch all off',
});

interface LabStateProps {
  lab: FailureLab;
  isPending: boolean;
  onAllOff: () => void;
}

/** Shows whether any failure is on, and switches all off. Both states have the same size, so that nothing jumps. */
export function LabState({ lab, isPending, onAllOff }: LabStateProps) {
  const t = useStore(MESSAGES);
  const words = useStore(SCENARIO_WORDS);
  const { active, otherActive } = lab;
  const isOn = active.length + otherActive > 0;
  const names = active.map(({ scenario }) => words[`${scenario}.name`]);
  const detail = [...names, ...(otherActive > 0 ? [t.others(otherActive)] : [])].join(' · ');
  const Icon = isOn ? Zap : CircleCheck;
  return (
    <section
      className={`flex min-h-20 flex-wrap items-center gap-x-4 gap-y-3 rounded-card px-4 py-3 sm:px-5 ${isOn ? 'bg-warn-soft text-warn-ink' : 'bg-ok-soft text-ok-ink'}`}
    >
      <div role="status" className="flex min-w-[min(100%,15rem)] flex-1 gap-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
        <div className="min-w-0">
          <p className="font-semibold">{isOn ? t.misbehaves : t.behaves}</p>
          <p className="text-small">{isOn ? detail : t.behavesDetail}</p>
        </div>
      </div>
      {isOn ? (
        <Button
          variant="secondary"
          size="small"
          className="w-full sm:w-auto"
          isPending={isPending}
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) onAllOff();
          }}
        >
          {t.allOff}
        </Button>
      ) : null}
    </section>
  );
}
