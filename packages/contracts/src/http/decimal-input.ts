import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';

/** A number of a form, sent as a number or as text. Parsed into text. */
export const decimalInput = (pattern: RegExp, error: string) =>
  z.pipe(
    z.union([z.string(), z.number()], { error }),
    z.pipe(
      z.transform((value: string | number) => String(value).trim()),
      z.string().check(z.regex(pattern, { error })),
    ),
  );

/** An amount that may be 0, with at most two decimals and twelve digits before the point. */
export const amountFromZero = (error: string) => decimalInput(/^\d{1,12}(\.\d{1,2})?$/, error);

/** The fee that the person was shown, sent with an order. */
export const FeeInput = amountFromZero(reason('amount_invalid'));
