import { queryOptions } from '@tanstack/react-query';
import {
  type ExceptionResolution,
  PayoutException,
  Reconciliation,
  ReconciliationOverview,
} from '@vuka/contracts/http/reconciliation';
import { callApi } from '#shared/api-client.ts';

export const RECONCILIATION_KEY = ['/api/admin/reconciliation'] as const;

/** Polls more often while a comparison is running. */
export function reconciliationQuery() {
  return queryOptions({
    queryKey: RECONCILIATION_KEY,
    queryFn: ({ signal }) => callApi('/api/admin/reconciliation', ReconciliationOverview, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.runs.some((run) => run.state === 'running') ? 2_000 : 60_000),
  });
}

export function requestReconciliation(day: string) {
  return callApi('/api/admin/reconciliation/runs', Reconciliation, { method: 'POST', body: { day } });
}

const exceptionPath = (id: string) => `/api/admin/reconciliation/exceptions/${encodeURIComponent(id)}`;

/** Takes an exception over from the owner that was shown, if there was one. */
export function takeException({ id, ownerId: takenFrom }: PayoutException) {
  return callApi(`${exceptionPath(id)}/take`, PayoutException, { method: 'POST', body: { takenFrom } });
}

/** Refused with changed_meanwhile if the exception has other details by now. */
export function resolveException(
  { id, details: seen }: PayoutException,
  typed: Record<string, string>,
  outcome: ExceptionResolution['outcome'],
) {
  const body = { ...typed, outcome, seen };
  return callApi(`${exceptionPath(id)}/resolve`, PayoutException, { method: 'POST', body });
}
