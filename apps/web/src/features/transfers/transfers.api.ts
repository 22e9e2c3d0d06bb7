import { params } from '@nanostores/i18n';
import { queryOptions } from '@tanstack/react-query';
import { TextCodes } from '@vuka/contracts/http/common';
import type { CreateTransfer } from '@vuka/contracts/http/orders';
import { Quote } from '@vuka/contracts/http/quotes';
import { corridorOf } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import * as z from 'zod/mini';
import {
  ApiError,
  errorMessage,
  MalformedAnswerError,
  NetworkError,
  parseAnswer,
  sendRequest,
} from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { refusalText } from '#shared/i18n/refusal-texts.ts';
import { type FailureKind, feeOf, type Price, type TransferDetails, type TransferDraft } from './transfer-draft.ts';

const HOLD_MS = 60_000;

/** A quote as a price. The remaining time is measured by the server's clock: phones' clocks are often wrong. */
export function toPrice(quote: Quote, serverNowMs: number | undefined, nowMs: number): Price {
  const leftMs = Date.parse(quote.expiresAt) - (serverNowMs ?? nowMs);
  return {
    targetAmount: quote.targetAmount,
    rate: Number(quote.rate),
    fee: quote.fee,
    quoteId: quote.quoteId,
    heldUntilMs: nowMs + Math.min(Math.max(leftMs, 0), HOLD_MS),
  };
}

export function quoteKey({ direction, amount }: Pick<TransferDetails, 'direction' | 'amount'>) {
  return ['quote', direction, amount] as const;
}

const MIN_REFRESH_MS = 5_000;

/** The price that the server holds for a while; fetched again when it expires. */
export function quoteQuery(details: Pick<TransferDetails, 'direction' | 'amount'>) {
  return queryOptions({
    queryKey: quoteKey(details),
    queryFn: async ({ signal }): Promise<Price> => {
      const body = { direction: details.direction, sourceAmount: details.amount };
      const answer = await sendRequest('/api/quotes', { method: 'POST', body, signal });
      return toPrice(parseAnswer(Quote, answer.json), answer.serverNowMs, Date.now());
    },
    staleTime: (query) => Math.max((query.state.data?.heldUntilMs ?? 0) - Date.now(), 0),
    gcTime: HOLD_MS,
    refetchInterval: (query) => {
      const heldUntilMs = query.state.data?.heldUntilMs;
      return heldUntilMs === undefined ? false : Math.max(heldUntilMs - Date.now(), MIN_REFRESH_MS);
    },
    refetchOnWindowFocus: true,
    meta: { silent: true },
  });
}

const CreateAnswer = z.object({
  transaction: z.looseObject({
    id: z.string(),
    status: z.string(),
    status_reason: z.optional(z.nullable(z.string())),
    status_reason_codes: z.optional(TextCodes),
  }),
});
export type CreatedTransfer = z.infer<typeof CreateAnswer>['transaction'];

/** The request body of a transfer. A draft with an attempt gives the same body every time, except for the PIN. */
export function toCreateBody(draft: TransferDraft, price: Price, pin: string): CreateTransfer {
  const { source, target } = corridorOf(draft.direction);
  const { clientTransactionId } = draft;
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
    metadata: { clientTransactionId, timestamp: draft.attempt?.timestamp },
  };
}

export async function createTransfer(body: CreateTransfer): Promise<CreatedTransfer> {
  const answer = await sendRequest('/api/transactions/create', { method: 'POST', body });
  return parseAnswer(CreateAnswer, answer.json).transaction;
}

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

const MESSAGES = i18n('transfers', {
  failed: 'Transfer failed',
  network: 'Network Error',
  notInitiated: 'Failed to initiate transfer',
  serverError: params('Server error: {status} {statusText}'),
});

export function transferFailure(error: unknown): { title: string; description: string } {
  const t = MESSAGES.get();
  if (error instanceof NetworkError) return { title: t.network, description: errorMessage(error) };
  if (error instanceof ApiError) {
    if (error.body?.error) return { title: t.failed, description: errorMessage(error) };
    const unread = t.serverError({ status: String(error.status), statusText: error.statusText }).trim();
    return { title: t.failed, description: error.body ? t.notInitiated : unread };
  }
  const isMalformed = error instanceof MalformedAnswerError;
  return {
    title: t.failed,
    description: isMalformed ? t.notInitiated : errorMessage(error, t.notInitiated),
  };
}
