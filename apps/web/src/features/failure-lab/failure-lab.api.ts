import { queryOptions } from '@tanstack/react-query';
import { FailureLab, type SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { callApi } from '#shared/api-client.ts';

const PATH = '/api/admin/failure-lab';
/** Payouts consume scenarios and move money while the page is open. */
const REFRESH_MS = 3_000;

export function failureLabQuery() {
  return queryOptions({
    queryKey: [PATH],
    queryFn: ({ signal }) => callApi(PATH, FailureLab, { signal }),
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: ({ state }) => (state.data ? REFRESH_MS : false),
    meta: { silent: true },
  });
}

export type Switching =
  | { to: 'on'; scenario: FailureScenarioId; settings: SwitchOnFailure }
  | { to: 'off'; scenario: FailureScenarioId }
  | { to: 'all-off' };

/** Returns the state of the lab afterwards. */
export function switchFailures(order: Switching): Promise<FailureLab> {
  if (order.to === 'all-off') return callApi(`${PATH}/off`, FailureLab, { method: 'POST', body: {} });
  const body = order.to === 'on' ? order.settings : {};
  return callApi(`${PATH}/${order.scenario}/${order.to}`, FailureLab, { method: 'POST', body });
}
