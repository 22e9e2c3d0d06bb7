import { queryOptions } from '@tanstack/react-query';
import { Quote } from '@vuka/contracts/http/quotes';
import { parseAnswer, sendRequest } from '#shared/api-client.ts';
import type { Price, TransferDetails } from './transfer-draft.ts';

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
