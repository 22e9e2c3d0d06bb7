import { adminOf, encodeCaller } from '@vuka/access/caller';
import { FailureLab, SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import * as z from 'zod/mini';
import { findFailureLab } from './find-failure-lab.ts';
import { type SwitchFailuresDeps, switchAllOff, switchOff, switchOn } from './switch-failures.ts';

export interface FailureLabRoutesDeps extends Omit<SwitchFailuresDeps, 'simulator'> {
  transfers: ServiceClient;
  /** Undefined if payouts go to a real provider: then there is no failure lab. */
  simulator?: ServiceClient | undefined;
}

const ScenarioName = z.object({ scenario: FailureScenarioId });
const response = { 200: FailureLab };

/** Failures of the simulated network. Every call answers with the resulting state of the lab. */
export function failureLabRoutes(app: HttpApp, deps: FailureLabRoutesDeps): void {
  function enter(request: Parameters<typeof adminOf>[0], right: 'failure-lab.read' | 'failure-lab.switch') {
    const caller = adminOf(request, right);
    const { simulator } = deps;
    if (!simulator) throw new AppError('failure_lab_not_found');
    const lab = { ...deps, simulator };
    return { caller, lab, find: () => findFailureLab(lab, encodeCaller(caller)) };
  }
  app.get('/internal/failure-lab', { schema: { response } }, (request) => enter(request, 'failure-lab.read').find());
  app.post('/internal/failure-lab/off', { schema: { response } }, async (request) => {
    const { caller, lab, find } = enter(request, 'failure-lab.switch');
    await switchAllOff(lab, caller);
    return find();
  });
  app.post(
    '/internal/failure-lab/:scenario/on',
    { schema: { params: ScenarioName, body: SwitchOnFailure, response } },
    async (request) => {
      const { caller, lab, find } = enter(request, 'failure-lab.switch');
      await switchOn(lab, caller, { scenario: request.params.scenario, settings: request.body });
      return find();
    },
  );
  app.post('/internal/failure-lab/:scenario/off', { schema: { params: ScenarioName, response } }, async (request) => {
    const { caller, lab, find } = enter(request, 'failure-lab.switch');
    await switchOff(lab, caller, request.params.scenario);
    return find();
  });
}
