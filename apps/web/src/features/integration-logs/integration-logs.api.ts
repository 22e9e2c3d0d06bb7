import { queryOptions } from '@tanstack/react-query';
import { IntegrationLog as Contract } from '@vuka/contracts/http/integration-logs';
import * as z from 'zod/mini';
import { orNull, Text } from '#shared/api/fields.ts';
import { callApi } from '#shared/api-client.ts';

const Log = z.extend(Contract, { id: Text, moneyTransferId: orNull(Text), timestamp: Text });
export type IntegrationLog = z.infer<typeof Log>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The newest logs; if `filter` is a whole id, those of that transaction, however old. */
export function integrationLogsQuery(filter: string) {
  const transactionId = UUID.test(filter.trim()) ? filter.trim().toLowerCase() : undefined;
  return queryOptions({
    queryKey: ['/api/integration-logs/recent', transactionId ?? 'all'],
    queryFn: ({ signal }) => fetchLogs(transactionId ? { transactionId } : {}, signal),
    staleTime: 0,
    refetchOnMount: true,
    meta: { silent: true },
  });
}

async function fetchLogs(query: Record<string, string>, signal?: AbortSignal): Promise<IntegrationLog[]> {
  const path = `/api/integration-logs/recent?${new URLSearchParams(query)}`;
  return (await callApi(path, z.object({ logs: z.array(Log) }), signal ? { signal } : {})).logs;
}

export function generateTestLogs(): Promise<IntegrationLog[]> {
  return fetchLogs({ generate: 'true' });
}

/** The whole of one log, fetched each time it is opened. */
export function integrationLogQuery(id: string) {
  return queryOptions({
    queryKey: ['/api/integration-logs/log', id],
    queryFn: async ({ signal }) =>
      (await callApi(`/api/integration-logs/log/${encodeURIComponent(id)}`, z.object({ log: Log }), { signal })).log,
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  });
}

export interface LogGroup {
  /** Null for calls that belong to no transaction. */
  transactionId: string | null;
  logs: IntegrationLog[];
}

/** Logs grouped by transaction, newest first; a group is placed by its newest log. */
export function groupLogs(logs: readonly IntegrationLog[], filter: string): LogGroup[] {
  const wanted = filter.trim().toLowerCase();
  const groups = new Map<string | null, IntegrationLog[]>();
  for (const log of logs) {
    if (wanted && !log.transactionId?.toLowerCase().includes(wanted)) continue;
    groups.set(log.transactionId, [...(groups.get(log.transactionId) ?? []), log]);
  }
  return [...groups].map(([transactionId, group]) => ({ transactionId, logs: group }));
}
