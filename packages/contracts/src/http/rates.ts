import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Direction, Id, Pin, Timestamp } from './common.ts';
import { Day } from './days.ts';
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

/** How many days `GET /api/rates/days` covers at most. */
export const RATE_DAYS = 30;

/**
 * The rate of the rated corridor at the end of each East African day, oldest first, without gaps; the last one is the
 * current rate. `bestOfWeek` names the directions whose current rate is the best for the sender that was in force on
 * the last seven days; none if the rate was the same all week.
 */
export const RateDays = z.object({
  days: z.array(z.object({ day: Day, sellRate: z.number() })),
  bestOfWeek: z.array(Direction),
});
export type RateDays = z.infer<typeof RateDays>;

const RATE = /^-?\d{1,6}(\.\d{1,6})?$/;

export const RatesUpdate = z.object({
  buyRate: decimalInput(RATE, reason('rate_invalid')).check(
    z.refine((rate) => Number(rate) > 0, { error: reason('rate_invalid') }),
  ),
  markup: decimalInput(RATE, reason('rate_invalid')).check(
    z.refine((markup) => Number(markup) >= 0 && Number(markup) <= 100, {
      error: reason('markup_out_of_range'),
    }),
    z.refine((markup) => /^\d+(\.\d{1,2})?$/.test(markup), { error: reason('rate_invalid') }),
  ),
  /** The rate that this one replaces, by its id in the history. Refused with changed_meanwhile if another is in force. */
  replaces: z.optional(Id),
  /** Required from the only administrator, for a change that otherwise takes two. */
  pin: z.optional(Pin),
});
