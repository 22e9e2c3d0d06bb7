import type * as z from 'zod/mini';
import { Pricing } from '../internal/pricing.ts';

export const RATES_UPDATED = 'rates.updated.v1';

/** The complete current prices. */
export const RatesUpdated = Pricing;
export type RatesUpdated = z.infer<typeof RatesUpdated>;
