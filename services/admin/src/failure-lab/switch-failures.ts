import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { FAILURE_SCENARIOS, type FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import type { ServiceClient } from '@vuka/service-kit/service-client';

import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { findActive } from './find-failure-lab.ts';
import { toSimulatorOrder } from './scenario.domain.ts';

export interface SwitchFailuresDeps {
  db: Db;
  simulator: ServiceClient;
  now: () => Date;
  kickRelay: () => void;
}

type Action = Pick<AdminAction, 'action' | 'subject' | 'before' | 'after'>;

/** Switches on one failure of the simulator, replacing its earlier options. */
export function switchOn(
  deps: SwitchFailuresDeps,
  caller: Caller,
  order: { scenario: FailureScenarioId; settings: SwitchOnFailure },
): Promise<void> {
  const { scenario, settings } = order;
  const action: Action = { action: 'failure.switched-on', subject: subjectOf(scenario), after: { ...settings } };
  const body = toSimulatorOrder(scenario, settings);
  return recorded(deps, caller, action, () => deps.simulator.post('/sim/scenarios', body, z.unknown()));
}

/** Switches off one failure of the simulator. If it is off already, no action is recorded. */
export async function switchOff(deps: SwitchFailuresDeps, caller: Caller, scenario: FailureScenarioId): Promise<void> {
  const { active } = await findActive(deps.simulator);
  const before = active.find((failure) => failure.scenario === scenario);
  if (!before) return;
  const { payoutsLeft, currency, phone } = before;
  const action: Action = {
    action: 'failure.switched-off',
    subject: subjectOf(scenario),
    before: { payoutsLeft, currency, phone },
  };
  await recorded(deps, caller, action, () => off(deps, { name: scenario }));
}

/** Switches off every failure of the simulator, including those that were switched on past the lab. */
export async function switchAllOff(deps: SwitchFailuresDeps, caller: Caller): Promise<void> {
  const { active, otherActive } = await findActive(deps.simulator);
  const scenarios = active.map(({ scenario }) => scenario);
  // Runs in any case: it also releases payouts that are still affected by a used-up scenario.
  if (scenarios.length + otherActive === 0) return off(deps, {});
  const action: Action = {
    action: 'failure.all-switched-off',
    subject: { kind: 'simulator' as const, id: 'failure-lab' },
    before: { scenarios, others: otherActive },
  };
  await recorded(deps, caller, action, () => off(deps, {}));
}

async function off({ simulator }: SwitchFailuresDeps, body: { name?: FailureScenarioId }): Promise<void> {
  await simulator.post('/sim/scenarios/off', body, z.unknown());
}

function subjectOf(scenario: FailureScenarioId): AdminAction['subject'] {
  return { kind: 'simulator', id: scenario, label: FAILURE_SCENARIOS[scenario].name };
}

/** Recorded before it happens, so that nothing is switched without a trace; a failure is recorded as well. */
async function recorded(deps: SwitchFailuresDeps, caller: Caller, action: Action, act: () => Promise<unknown>) {
  await record(deps, caller, action);
  try {
    await act();
  } catch (error) {
    await record(deps, caller, { action: 'failure.not-switched', subject: action.subject });
    throw error;
  }
}

async function record(deps: SwitchFailuresDeps, caller: Caller, action: Action): Promise<void> {
  const entry: AdminAction = { source: '/vuka/admin', caller, ...action };
  await deps.db.transaction().execute((trx) => recordAction(trx, entry, deps.now()));
  deps.kickRelay();
}
