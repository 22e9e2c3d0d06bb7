import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { ActiveFailure, FailureScenario } from '@vuka/contracts/http/failure-lab';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import type { Switching } from './failure-lab.api.ts';
import { ScenarioTile } from './scenario-tile.tsx';

export const GROUP_WORDS = i18n('admin/failure-groups', {
  answers: 'Answers',
  answersDetail: 'How the network answers a request to pay, or fails to.',
  refusals: 'Refusals',
  refusalsDetail: 'The network refuses, at once or after a while.',
  course: 'Delays',
  courseDetail: 'The network is slow to pay.',
  callbacks: 'Callbacks',
  callbacksDetail: 'What the network reports: lost, late, repeated or wrong.',
  forgeries: 'Signatures',
  forgeriesDetail: 'Callbacks that may not come from the network.',
  inquiries: 'Inquiries',
  inquiriesDetail: 'What the network answers when it is asked for a payout’s status.',
  on: params('{count} on'),
});

interface ScenarioGroupProps {
  group: FailureScenario['group'];
  scenarios: readonly FailureScenario[];
  active: readonly ActiveFailure[];
  pending: Switching | undefined;
  onSwitch: (scenario: FailureScenarioId, isOn: boolean) => void;
}

export function ScenarioGroup({ group, scenarios, active, pending, onSwitch }: ScenarioGroupProps) {
  const t = useStore(GROUP_WORDS);
  const activeOf = (id: FailureScenarioId) => active.find(({ scenario }) => scenario === id);
  const countOn = scenarios.filter(({ id }) => activeOf(id)).length;
  const aside = countOn > 0 && (
    <span className="rounded-full bg-primary px-2.5 py-0.5 text-caption font-semibold text-on-primary">
      {t.on({ count: countOn })}
    </span>
  );
  return (
    <Card title={t[group]} aside={aside}>
      <p className="px-4 text-small text-ink2 sm:px-5">{t[`${group}Detail`]}</p>
      <ul
        aria-label={t[group]}
        className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pt-3 pb-4 sm:px-5 sm:pb-5 md:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2"
      >
        {scenarios.map((scenario) => (
          <ScenarioTile
            key={scenario.id}
            scenario={scenario}
            active={activeOf(scenario.id)}
            pending={pending && 'scenario' in pending && pending.scenario === scenario.id ? pending.to : undefined}
            onSwitch={(isOn) => onSwitch(scenario.id, isOn)}
          />
        ))}
      </ul>
    </Card>
  );
}
