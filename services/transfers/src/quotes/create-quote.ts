import type { Direction } from '@vuka/contracts/http/common';
import { AppError } from '@vuka/service-kit/app-error';
import type { Batcher } from '@vuka/service-kit/batcher';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { QuoteRow } from '#db/schema.ts';
import type { PricingCopy } from '#pricing/pricing-copy.ts';
import { priceTransfer } from './quote.domain.ts';

const HELD_FOR_MS = 60_000;

export interface CreateQuoteDeps {
  pricing: PricingCopy;
  quoteInserts: Batcher<QuoteRow, undefined>;
  now: () => Date;
}

/**
 * Holds the current price for 60 s. Throws rate_unavailable, and validation_failed for an amount that converts to zero.
 */
export async function createQuote(
  deps: CreateQuoteDeps,
  input: { userId: string; direction: Direction; sourceAmount: bigint },
): Promise<QuoteRow> {
  const price = priceTransfer(await deps.pricing.current(), input.direction, input.sourceAmount);
  if (price.targetAmount === 0n) throw tooSmall();
  const now = deps.now();
  const quote: QuoteRow = {
    id: uuidv7(now.getTime()),
    user_id: input.userId,
    direction: price.direction,
    source_amount: price.sourceAmount,
    target_amount: price.targetAmount,
    mid_amount: price.midAmount,
    fee: price.fee,
    exchange_rate: price.rate,
    expires_at: new Date(now.getTime() + HELD_FOR_MS),
  };
  await deps.quoteInserts.submit(quote);
  return quote;
}

export function tooSmall(): AppError {
  return new AppError('amount_too_small', { field: 'sourceAmount' });
}
