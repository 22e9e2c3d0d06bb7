import { CURRENCY_CODES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { DIRECTIONS } from '@vuka/money/directions';
import * as z from 'zod/mini';
import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';
import { allowed, reason } from '../texts/reason.ts';

const oneOf = <const Values extends readonly [string, ...string[]]>(
  name: 'currency_unknown' | 'direction_unknown',
  values: Values,
) => z.enum(values, { error: reason(name, allowed(values)) });

export const WalletCurrency = oneOf('currency_unknown', WALLET_CURRENCIES);
export type WalletCurrency = z.infer<typeof WalletCurrency>;

/** Also the currencies in which merchants have no wallet; administrators deposit them. */
export const DepositCurrency = oneOf('currency_unknown', CURRENCY_CODES);

export const Direction = oneOf('direction_unknown', DIRECTIONS);
export type Direction = z.infer<typeof Direction>;

/** Money in JSON: a decimal string with two places. */
export const Money = z.string().check(z.regex(/^-?\d{1,18}\.\d{2}$/));

const AMOUNT_PATTERN = /^\d{1,12}(\.\d{1,2})?$/;

/** More than twelve digits before the point, or a number that JavaScript writes with an exponent. */
const TOO_LARGE = /^(\d{13,}(\.\d*)?|\d(\.\d+)?e\+\d+)$/;

/** Decimals that are not all zeros, however many. */
const DECIMALS = /^\d*\.\d*[1-9]/;

/**
 * An amount in a request: a number or a numeric string, greater than 0, with at most two decimals and twelve digits
 * before the point. Parsed into a decimal string; money is never computed from the number. `missing` is the reason
 * given for a missing amount; `isWhole` refuses decimals other than zeros.
 */
export const amountInput = (missing: string, { isWhole = false } = {}) =>
  z.pipe(
    z.union([z.string(), z.number()], { error: missing }),
    z.pipe(
      z.transform((amount: string | number) => String(amount).trim()),
      z.string().check(
        z.refine((amount) => amount !== '', { error: missing, abort: true }),
        z.refine((amount) => !/^-|^0+(\.0*)?$/.test(amount), { error: reason('amount_not_positive'), abort: true }),
        z.refine((amount) => !TOO_LARGE.test(amount), { error: reason('amount_too_large'), abort: true }),
        z.refine((amount) => !isWhole || !DECIMALS.test(amount), { error: reason('amount_not_whole'), abort: true }),
        z.regex(AMOUNT_PATTERN, { error: reason('amount_invalid') }),
      ),
    ),
  );
export const AmountInput = amountInput(reason('amount_missing'));

export const WholeAmountInput = amountInput(reason('amount_missing'), { isWhole: true });

export const Pin = z
  .string({ error: reason('pin_length') })
  .check(
    z.length(4, { error: reason('pin_length'), abort: true }),
    z.regex(/^\d{4}$/, { error: reason('pin_not_numeric') }),
  );

/**
 * Characters that a reader does not see: control and format characters, such as those that reverse text; line ends;
 * characters that Unicode lets a font draw as nothing, such as joiners, variation selectors and fillers; the empty
 * braille pattern.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * For names that one person writes and another reads: every character must be visible, so that no name looks like
 * another, or like an empty one.
 */
export const onlyShown = z.refine<string>((text) => !HIDDEN.test(text), { error: reason('characters_hidden') });

/** Asked again of an administrator who decides on other people's money; checked in the call that decides. */
export const PinConfirmation = z.object({ pin: Pin });

const notEmail = { error: reason('email_invalid') };
export const Email = z.string(notEmail).check(z.maxLength(255, notEmail), z.email(notEmail));

export const Id = z.uuid({ error: reason('id_invalid') });

const limitError = { error: reason('limit_out_of_range', { min: 1, max: 200 }) };

/** How many entries of a list to return. */
export const PageSize = z.coerce
  .number(limitError)
  .check(z.int(limitError), z.gte(1, limitError), z.lte(200, limitError));
export const PageLimit = z._default(PageSize, 50);

export const Timestamp = z.iso.datetime({ offset: true });

const errorCodes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

const Params = z.record(z.string(), z.union([z.string(), z.number()]));

/** The keys of an English text in the same answer, one per sentence, and the values in it. */
export const TextCodes = z.array(z.object({ code: z.string(), params: z.optional(Params) }));
export type TextCodes = z.infer<typeof TextCodes>;

/** Why one field was refused. */
const Issue = z.object({
  path: z.string(),
  message: z.string(),
  reason: z.optional(z.string()),
  params: z.optional(Params),
});

/**
 * Every refusal. `error` is English text for a person. `reason` is the key of that text and finer than `code`; `params`
 * holds the values in the text. A client that does not know a reason shows `error`. Some errors have fields of their
 * own, which the description of the API lists (`ERROR_DETAILS` in the gateway).
 */
export const ErrorBody = z.looseObject({
  error: z.string(),
  code: z.enum(errorCodes),
  reason: z.optional(z.string()),
  params: z.optional(Params),
  requestId: z.string(),
  issues: z.optional(z.array(Issue)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
export type Issue = z.infer<typeof Issue>;

export const Ok = z.object({ ok: z.literal(true) });
