import { queryOptions } from '@tanstack/react-query';
import { Ok } from '@vuka/contracts/http/common';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { DeadMessages, MatchingDeadMessages, Queues, Redrive, Redrives } from '@vuka/contracts/http/queues';
import { callApi } from '#shared/api-client.ts';

export const QUEUES_KEY = ['/api/admin/queues'] as const;
export const REDRIVES_KEY = ['/api/admin/redrives'] as const;

const REFRESH_MS = 5_000;
const PROGRESS_MS = 1_000;

export function queuesQuery() {
  return queryOptions({
    queryKey: QUEUES_KEY,
    queryFn: ({ signal }) => callApi('/api/admin/queues', Queues, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    meta: { silent: true },
  });
}

const pathOf = (queue: string) => `/api/admin/queues/${encodeURIComponent(queue)}/dead`;

export function deadMessagesQuery(queue: string) {
  return queryOptions({
    queryKey: [...QUEUES_KEY, queue, 'dead'],
    queryFn: ({ signal }) => callApi(`${pathOf(queue)}?limit=${LIST_SIZES.deadMessages}`, DeadMessages, { signal }),
    staleTime: 0,
    meta: { silent: true },
  });
}

/** The number of messages that match the filter of a redrive. */
export function matchingQuery(
  queue: string,
  { type = '', diedOf = '', olderThanMinutes = '0' }: Record<string, string>,
) {
  const filter = new URLSearchParams({ type, diedOf, olderThanMinutes });
  return queryOptions({
    queryKey: [...QUEUES_KEY, queue, 'matching', String(filter)],
    queryFn: ({ signal }) => callApi(`${pathOf(queue)}/matching?${filter}`, MatchingDeadMessages, { signal }),
    staleTime: 0,
    retry: false,
    meta: { silent: true },
  });
}

/** Polls often only while a redrive runs. */
export function redrivesQuery() {
  return queryOptions({
    queryKey: REDRIVES_KEY,
    queryFn: ({ signal }) => callApi('/api/admin/redrives', Redrives, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.redrives.some(({ endedAt }) => endedAt === null) ? PROGRESS_MS : REFRESH_MS,
    meta: { silent: true },
  });
}

/** Sends the dead messages again that match what was typed. */
export function startRedrive(queue: string, typed: Record<string, string>) {
  return callApi(`${pathOf(queue)}/redrive`, Redrive, { method: 'POST', body: typed });
}

export type Settlement = 'requeue' | 'drop';

interface SettlementOrder {
  queue: string;
  id: string;
  to: Settlement;
  /** The reason and the PIN. */
  typed: Record<string, string>;
}

export function settleDeadMessage(order: SettlementOrder) {
  const path = `${pathOf(order.queue)}/${encodeURIComponent(order.id)}/${order.to}`;
  return callApi(path, Ok, { method: 'POST', body: order.typed });
}
