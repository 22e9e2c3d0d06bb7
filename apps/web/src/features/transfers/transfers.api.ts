import { TextCodes } from '@vuka/contracts/http/common';
import type { CreateTransfer } from '@vuka/contracts/http/orders';
import { Quote } from '@vuka/contracts/http/quotes';
import { corridorOf } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import * as z from 'zod/mini';
import { ApiError } from '#shared/api-client.ts';
import { refusalText } from '#shared/i18n/refusal-texts.ts';
import { feeOf, type SentDraft } from './transfer-draft.ts';

export const CreateAnswer = z.object({
  transaction: z.looseObject({
    id: z.string(),
    status: z.string(),
    status_reason: z.optional(z.nullable(z.string())),
    status_reason_codes: z.optional(TextCodes),
  }),
});
export type CreatedTransfer = z.infer<typeof CreateAnswer>['transaction'];

/** The request body of a transfer. A repeat of an attempt gives the same body every time, except for the PIN. */
export function toCreateBody({ attempt, ...draft }: SentDraft, pin: string): CreateTransfer {
  const { source, target } = corridorOf(draft.direction);
  const { clientTransactionId } = draft;
  const { price, timestamp } = attempt;
  return {
    direction: draft.direction,
    sourceAmount: draft.amount,
    sourceCurrency: source,
    targetAmount: price.targetAmount,
    targetCurrency: target,
    fee: feeOf(price),
    recipientPhone: recipientPrefix(draft.direction) + draft.phone,
    pin,
    clientTransactionId,
    ...(price.quoteId ? { quoteId: price.quoteId } : {}),
    metadata: { clientTransactionId, timestamp },
  };
}

/**
 * What a failed call says about the transfer. `refused`: nothing was stored, the id is still free. `ended`: the id is
 * used up. `unknown`: it may have been accepted, so only the identical request may follow under this id.
 */
type FailureKind = 'refused' | 'ended' | 'unknown';

export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof ApiError) || error.status >= 500) return 'unknown';
  return error.status === 422 || error.code === 'idempotency_conflict' ? 'ended' : 'refused';
}

/** The server's refusal of the recipient's number. */
export function phoneRefusal(error: unknown): string | undefined {
  const issues = error instanceof ApiError ? error.body?.issues : undefined;
  const issue = issues?.find(({ path }) => path === 'recipientPhone');
  return issue && refusalText(issue, issue.message);
}

/** The new quote in a `rate_changed` answer. */
export function quoteOfRateChange(error: unknown): Quote | undefined {
  if (!(error instanceof ApiError) || error.code !== 'rate_changed') return undefined;
  const parsed = z.safeParse(Quote, (error.body as { quote?: unknown } | undefined)?.quote);
  return parsed.success ? parsed.data : undefined;
}
