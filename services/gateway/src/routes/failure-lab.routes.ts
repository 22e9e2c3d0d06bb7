import { FailureLab, SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];
const AnyScenario = z.object({ scenario: z.string().check(z.maxLength(100)) });
const response = { 200: FailureLab };

/** For demonstrations only: failures of the simulated mobile network. 404 with a real provider. */
export function failureLabRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/failure-lab',
    { schema: { tags, summary: 'Possible and active failures of the simulated network', response } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.get('/internal/failure-lab', FailureLab, { caller });
    },
  );
  app.post(
    '/api/admin/failure-lab/off',
    { schema: { tags, summary: 'Switch off every failure of the simulated network', response } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.post('/internal/failure-lab/off', {}, FailureLab, { caller });
    },
  );
  app.post(
    '/api/admin/failure-lab/:scenario/on',
    {
      schema: {
        tags,
        summary: 'Switch on one failure of the simulated network',
        params: AnyScenario,
        body: SwitchOnFailure,
        response,
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/failure-lab/${known(request.params.scenario)}/on`;
      return services.admin.post(path, request.body, FailureLab, { caller });
    },
  );
  app.post(
    '/api/admin/failure-lab/:scenario/off',
    {
      schema: { tags, summary: 'Switch off one failure of the simulated network', params: AnyScenario, response },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.post(`/internal/failure-lab/${known(request.params.scenario)}/off`, {}, FailureLab, {
        caller,
      });
    },
  );
}

function known(scenario: string): FailureScenarioId {
  const found = FailureScenarioId.safeParse(scenario);
  if (!found.success) throw new AppError('failure_scenario_not_found');
  return found.data;
}
