import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { FailureLab as Lab, SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { FlaskConicalOff } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { QueryCards } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { ApiError } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { AimCard, NEXT_PAYOUT } from './aim-card.tsx';
import { failureLabQuery } from './failure-lab.api.ts';
import { LabState } from './lab-state.tsx';
import { MoneyCard } from './money-card.tsx';
import { followPlay, PLAY, type Play } from './play.ts';
import { ScenarioGroups } from './scenario-groups.tsx';
import { useSwitches } from './use-switches.ts';

const MESSAGES = i18n('admin/failure-lab', {
  failed: 'The failure lab could not be loaded',
  noneTitle: 'There is no failure lab here',
  noneDetail: 'Payouts go to a real mobile network. Only a demonstration has one that can be made to fail.',
});

interface FailureLabProps {
  /** Renders what happens after a failure was switched on. */
  renderPlay: (play: Play) => ReactNode;
}

export function FailureLab({ renderPlay }: FailureLabProps) {
  const t = useStore(MESSAGES);
  const query = useQuery(failureLabQuery());
  if (query.error instanceof ApiError && query.error.status === 404) return <NoLab />;
  return (
    <QueryCards query={query} failed={(detail) => ({ title: t.failed, detail })}>
      {(lab) => <OpenLab lab={lab} renderPlay={renderPlay} />}
    </QueryCards>
  );
}

function OpenLab({ lab, renderPlay }: FailureLabProps & { lab: Lab }) {
  const [aim, setAim] = useState<SwitchOnFailure | undefined>(NEXT_PAYOUT);
  const maySwitch = useMayDo()('failure-lab.switch');
  const aimFields = useRef<HTMLDivElement>(null);
  const { pending, order } = useSwitches();
  const play = useStore(PLAY);
  useEffect(() => followPlay(lab), [lab]);
  const count = lab.active.length + lab.otherActive;
  return (
    <fieldset disabled={!maySwitch} className="contents">
      <LabState lab={lab} isPending={pending?.to === 'all-off'} onAllOff={() => order({ to: 'all-off' })} />
      {play ? renderPlay(play) : null}
      <AimCard hasActive={count > 0} onAim={setAim} fieldsRef={aimFields} />
      <ScenarioGroups
        lab={lab}
        pending={pending}
        onSwitch={(scenario, isOn) => {
          if (!isOn) order({ to: 'off', scenario });
          else if (aim) order({ to: 'on', scenario, settings: aim });
          else aimFields.current?.querySelector<HTMLElement>('[type="tel"]')?.focus();
        }}
      />
      <MoneyCard network={lab.network} books={lab.books} />
    </fieldset>
  );
}

function NoLab() {
  const t = useStore(MESSAGES);
  return (
    <Card className="py-4">
      <EmptyState Icon={FlaskConicalOff} title={t.noneTitle} detail={t.noneDetail} />
    </Card>
  );
}
