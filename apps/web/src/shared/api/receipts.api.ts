import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Receipt, Timeline } from '@vuka/contracts/http/transfers';
import { ReceiptVerification } from '@vuka/contracts/http/verification';
import * as z from 'zod/mini';
import { Amount, orNull, Text } from '#shared/api/fields.ts';
import { receiptKey, Status } from '#shared/api/transactions.api.ts';
import { callApi, parseJson } from '#shared/api-client.ts';
import { hasFailed, isSettled } from '#shared/status-view.ts';

const metadata = z.pipe(
  z.transform((raw: unknown) => (typeof raw === 'string' ? parseJson(raw) : raw)),
  z.looseObject({
    recipientPhone: z.optional(z.nullable(z.string())),
    recipientName: z.optional(z.nullable(z.string())),
    recipientAccount: z.optional(z.nullable(z.string())),
    clientTransactionId: z.optional(z.nullable(z.string())),
  }),
);
const ReceiptAnswer = z.object({
  transaction: z.extend(Receipt.shape.transaction, {
    id: Text,
    type: z._default(Receipt.shape.transaction.shape.type, 'transfer'),
    updated_at: z._default(Text, ''),
    source_amount: Amount,
    target_amount: Amount,
    exchange_rate: orNull(Text),
    fee: orNull(Amount),
    direction: orNull(Receipt.shape.transaction.shape.direction),
    status: Status,
    status_reason: orNull(Text),
    // A date that cannot be read is shown as unavailable, with the rest of the receipt.
    created_at: Text,
    metadata: z._default(z.nullable(metadata), null),
  }),
});
export type ReceiptTransaction = z.infer<typeof ReceiptAnswer>['transaction'];

const TimelineAnswer = z.object({
  timeline: z.array(z.extend(Timeline.shape.timeline.def.element, { status: Status })),
});
export type TimelineRow = z.infer<typeof TimelineAnswer>['timeline'][number];

export function isFinalStatus(status: string): boolean {
  return isSettled(status) || hasFailed(status);
}

/** The delay until the next poll of a transaction, by how long it has been watched: short at first, then longer. */
export function pollDelayMs(watchedForMs: number): number {
  if (watchedForMs < 60_000) return 3_000;
  return watchedForMs < 300_000 ? 15_000 : 30_000;
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

/** The public code that verifies the receipt. It never changes, so it is fetched once. */
export function verificationQuery(id: string) {
  return queryOptions({
    queryKey: ['/api/transactions/verification', id],
    queryFn: async ({ signal }) =>
      (await callApi(`/api/transactions/${encodeURIComponent(id)}/verification`, ReceiptVerification, { signal })).code,
    meta: { silent: true },
  });
}

/** The lifecycle of one transaction, fetched again at each new status. */
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
