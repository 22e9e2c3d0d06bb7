import { useQuery } from '@tanstack/react-query';
import { corridorOf } from '@vuka/money/directions';
import { type DisplayRates, ratesQuery } from '#shared/api/rates.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { convertWhole } from '#shared/format/rate.ts';
import { useSettled } from '#shared/use-settled.ts';
import { quoteQuery } from './quotes.api.ts';
import { isOfDetails, type Price, type TransferDraft } from './transfer-draft.ts';

const TYPING_PAUSE_MS = 400;

/**
 * The price at the current rate; undefined for a corridor without one. It is for display, and for sending when no quote
 * is available: the server checks it.
 */
function estimate(
  { direction, amount }: Pick<TransferDraft, 'direction' | 'amount'>,
  rates: DisplayRates,
): Price | undefined {
  const { rate: rated } = corridorOf(direction);
  if (!rated) return undefined;
  const rate = rated === 'buy' ? rates.kesToTzs : rates.tzsToKes;
  return { rate, targetAmount: convertWhole(amount, rate) };
}

export interface PriceView {
  price: Price | undefined;
  /** Whether `price` may be sent: it was quoted, or no quote is available. */
  isFirm: boolean;
  error: unknown;
  /** Why the server does not price this amount. */
  refusal: string | undefined;
  refresh: () => void;
}

/**
 * The price of a draft: that of an unanswered attempt, else the server's quote, else an estimate from the rates, which
 * may be sent unless the server refused the amount itself.
 */
export function usePrice(draft: TransferDraft, isQuotable: boolean): PriceView {
  const amount = useSettled(draft.amount, TYPING_PAUSE_MS);
  const isSettled = amount === draft.amount;
  const isQuoted = isQuotable && isSettled && !draft.attempt && amount !== '' && amount !== '0';
  const quote = useQuery({ ...quoteQuery({ direction: draft.direction, amount }), enabled: isQuoted });
  const rates = useQuery(ratesQuery());
  const refresh = (): void => {
    if (isQuoted) void quote.refetch();
    void rates.refetch();
  };
  const quoted = draft.attempt?.price ?? (isSettled ? quote.data : undefined);
  if (quoted) return { price: quoted, isFirm: true, error: undefined, refusal: undefined, refresh };
  const estimated = rates.data ? estimate(draft, rates.data) : undefined;
  const failure = isSettled ? quote.error : null;
  const refusal = isOfDetails(failure) ? errorMessage(failure) : undefined;
  return {
    price: estimated,
    isFirm: failure !== null && refusal === undefined && estimated !== undefined,
    error: failure ?? (estimated ? undefined : rates.error),
    refusal,
    refresh,
  };
}
