import { queryOptions } from '@tanstack/react-query';
import { Ok } from '@vuka/contracts/http/common';
import { DeadMessages, Queues } from '@vuka/contracts/http/queues';
import { callApi } from '#shared/api-client.ts';

export const QUEUES_KEY = ['/api/admin/queues'] as const;

const REFRESH_MS = 5_000;

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
    queryFn: ({ signal }) => callApi(`${pathOf(queue)}?limit=100`, DeadMessages, { signal }),
    staleTime: 0,
    meta: { silent: true },
  });
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
