import type * as z from 'zod/mini';
import { Pricing } from '../internal/pricing.ts';

export const RATES_UPDATED = 'rates.updated.v1';

/** The whole of the prices as they are now. */
export const RatesUpdated = Pricing;
export type RatesUpdated = z.infer<typeof RatesUpdated>;
