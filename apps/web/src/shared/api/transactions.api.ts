import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Receipt, Timeline, type TransactionFilters, TransactionListItem } from '@vuka/contracts/http/transfers';
import { ReceiptVerification } from '@vuka/contracts/http/verification';
import * as z from 'zod/mini';
import { ApiError, callApi, parseAnswer, parseJson, sendRequest } from '#shared/api-client.ts';

// Older records carry other words for a status, in either case of letters: see statusView.
const Status = z.string();

const ListItem = z.extend(TransactionListItem, { status: Status });
export type TransactionItem = z.infer<typeof ListItem>;

const metadata = z.pipe(
  z.transform((raw: unknown) => (typeof raw === 'string' ? parseJson(raw) : raw)),
  z.looseObject({
    recipientPhone: z.optional(z.nullable(z.string())),
    recipientName: z.optional(z.nullable(z.string())),
    recipientAccount: z.optional(z.nullable(z.string())),
  }),
);
const ReceiptAnswer = z.object({
  transaction: z.extend(Receipt.shape.transaction, {
    status: Status,
    metadata: z._default(z.nullable(metadata), null),
  }),
});
export type ReceiptTransaction = z.infer<typeof ReceiptAnswer>['transaction'];

const TimelineAnswer = z.object({
  timeline: z.array(z.extend(Timeline.shape.timeline.def.element, { status: Status })),
});
export type TimelineRow = z.infer<typeof TimelineAnswer>['timeline'][number];

export const TRANSACTIONS_KEY = ['/api/transactions'] as const;

export const STALE_MS = { dashboard: 20_000, history: 30_000 } as const;

export function transactionsQuery(place: keyof typeof STALE_MS) {
  return queryOptions({
    queryKey: TRANSACTIONS_KEY,
    queryFn: ({ signal }) => callApi('/api/transactions', z.array(ListItem), { signal }),
    staleTime: STALE_MS[place],
    refetchInterval: 30_000,
    refetchOnWindowFocus: true,
  });
}

export const HISTORY_KEY = [...TRANSACTIONS_KEY, 'history'] as const;

export interface HistoryPage {
  items: TransactionItem[];
  nextPath: string | undefined;
  /** What was searched for is neither an id, nor a phone number, nor an amount. */
  isUnsearchable?: boolean;
}

const HISTORY_PAGE_SIZE = 30;

async function fetchHistory(path: string, signal: AbortSignal): Promise<HistoryPage> {
  try {
    const answer = await sendRequest(path, { signal });
    return { items: parseAnswer(z.array(ListItem), answer.json), nextPath: answer.nextPath };
  } catch (error) {
    // Half a word in the search field is no failure.
    if (error instanceof ApiError && error.status === 400) {
      return { items: [], nextPath: undefined, isUnsearchable: true };
    }
    throw error;
  }
}

/** The transfers that match, page by page; those of the last filters stand in while new ones are on their way. */
export function historyQuery(filters: TransactionFilters) {
  const params = new URLSearchParams({ ...(filters as Record<string, string>), limit: String(HISTORY_PAGE_SIZE) });
  return infiniteQueryOptions({
    queryKey: [...HISTORY_KEY, filters],
    queryFn: ({ pageParam, signal }) => fetchHistory(pageParam, signal),
    initialPageParam: `/api/transactions?${params}`,
    getNextPageParam: (page) => page.nextPath,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS.history,
    refetchInterval: 30_000,
    refetchOnWindowFocus: true,
  });
}

const FINAL_STATUSES = ['SETTLED', 'SUCCESS', 'COMPLETED', 'FAILED', 'CANCELLED'];

export function isFinalStatus(status: string): boolean {
  return FINAL_STATUSES.includes(status.toUpperCase());
}

/** How long to wait until the next look at a transaction, by how long it has been watched: quick first, then calmer. */
export function pollDelayMs(watchedForMs: number): number {
  if (watchedForMs < 60_000) return 3_000;
  return watchedForMs < 300_000 ? 15_000 : 30_000;
}

export function receiptKey(id: string) {
  return [...TRANSACTIONS_KEY, id] as const;
}

export function receiptQuery(id: string, watchedSinceMs: number) {
  return queryOptions({
    queryKey: receiptKey(id),
    queryFn: async ({ signal }) =>
      (await callApi(`/api/transactions/${encodeURIComponent(id)}`, ReceiptAnswer, { signal })).transaction,
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: (query) => {
      const receipt = query.state.data;
      return !receipt || isFinalStatus(receipt.status) ? false : pollDelayMs(Date.now() - watchedSinceMs);
    },
    meta: { silent: true },
  });
}

/** The code by which anybody can verify the receipt: the same for ever, so it is asked for once. */
export function verificationQuery(id: string) {
  return queryOptions({
    queryKey: ['/api/transactions/verification', id],
    queryFn: async ({ signal }) =>
      (await callApi(`/api/transactions/${encodeURIComponent(id)}/verification`, ReceiptVerification, { signal })).code,
    meta: { silent: true },
  });
}

/** The lifecycle of one transaction, asked for again at each new status. */
export function timelineQuery(id: string, status: string) {
  return queryOptions({
    queryKey: [...receiptKey(id), 'timeline', status],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await callApi(`/api/transactions/${encodeURIComponent(id)}/timeline`, TimelineAnswer, { signal })).timeline,
    staleTime: 0,
    meta: { silent: true },
  });
}
