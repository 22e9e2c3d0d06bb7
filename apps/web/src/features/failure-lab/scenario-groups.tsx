import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { FailureLab, FailureScenario } from '@vuka/contracts/http/failure-lab';
import { FAILURE_GROUPS } from '@vuka/contracts/http/failure-lab-scenario';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Tabs } from '#shared/ui/tabs.tsx';
import type { Switching } from './failure-lab.api.ts';
import { GROUP_WORDS, ScenarioGroup } from './scenario-group.tsx';

const MESSAGES = i18n('admin/failure-index', { label: 'Groups of failures', withCount: params('{name} ({count})') });

type Group = FailureScenario['group'];

interface ScenarioGroupsProps {
  lab: FailureLab;
  pending: Switching | undefined;
  onSwitch: (scenario: FailureScenarioId, isOn: boolean) => void;
}

/** One group at a time: together they are ten screens long on a phone, and four on a laptop. */
export function ScenarioGroups({ lab, pending, onSwitch }: ScenarioGroupsProps) {
  const t = useStore(MESSAGES);
  const words = useStore(GROUP_WORDS);
  const [selected, setSelected] = useState<Group>(() => firstActiveOf(lab) ?? FAILURE_GROUPS[0]);
  const labelOf = (group: Group) => {
    const count = activeIn(lab, group);
    return count > 0 ? t.withCount({ name: words[group], count }) : words[group];
  };
  const tabs = FAILURE_GROUPS.map((name) => ({ name, label: labelOf(name) }));
  return (
    <Tabs label={t.label} tabs={tabs} selected={selected} onSelect={setSelected}>
      <ScenarioGroup
        group={selected}
        scenarios={scenariosOf(lab, selected)}
        active={lab.active}
        pending={pending}
        onSwitch={onSwitch}
      />
    </Tabs>
  );
}

const scenariosOf = ({ scenarios }: FailureLab, group: Group) => scenarios.filter((each) => each.group === group);

function activeIn(lab: FailureLab, group: Group): number {
  const ids = new Set(lab.active.map(({ scenario }) => scenario));
  return scenariosOf(lab, group).filter(({ id }) => ids.has(id)).length;
}

const firstActiveOf = (lab: FailureLab) => FAILURE_GROUPS.find((group) => activeIn(lab, group) > 0);
