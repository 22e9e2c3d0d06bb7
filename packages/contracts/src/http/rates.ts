import * as z from 'zod/mini';
import { Id, Pin, Timestamp } from './common.ts';
import { decimalInput } from './decimal-input.ts';

export const Rates = z.object({
  kesToTzs: z.number(),
  tzsToKes: z.number(),
  sellRate: z.number(),
  buyRate: z.number(),
  markup: z.number(),
  updatedAt: Timestamp,
});
export type Rates = z.infer<typeof Rates>;

export const RateHistoryItem = z.object({
  id: Id,
  createdAt: Timestamp,
  buyRate: z.number(),
  markup: z.number(),
  sellRate: z.number(),
  updatedByName: z.string(),
});
export type RateHistoryItem = z.infer<typeof RateHistoryItem>;

const RATE = /^-?\d{1,6}(\.\d{1,6})?$/;

export const RatesUpdate = z.object({
  buyRate: decimalInput(RATE, 'Please enter valid numbers for both fields').check(
    z.refine((rate) => Number(rate) > 0, { error: 'Please enter valid numbers for both fields' }),
  ),
  markup: decimalInput(RATE, 'Please enter valid numbers for both fields').check(
    z.refine((markup) => Number(markup) >= 0 && Number(markup) <= 100, {
      error: 'Markup percentage must be between 0 and 100',
    }),
    z.refine((markup) => /^\d+(\.\d{1,2})?$/.test(markup), { error: 'Please enter valid numbers for both fields' }),
  ),
  /** Required from the only administrator, for a change that otherwise takes two. */
  pin: z.optional(Pin),
});
