import * as z from 'zod/mini';
import { AmountInput, Direction, Id, Money, Timestamp, WalletCurrency } from './common.ts';
import { fitDirection } from './direction-amounts.ts';

export const QuoteRequest = fitDirection(z.object({ direction: Direction, sourceAmount: AmountInput }));

export const Quote = z.object({
  quoteId: Id,
  direction: Direction,
  rate: z.string(),
  sourceAmount: Money,
  sourceCurrency: WalletCurrency,
  targetAmount: Money,
  targetCurrency: WalletCurrency,
  fee: Money,
  expiresAt: Timestamp,
});
export type Quote = z.infer<typeof Quote>;
