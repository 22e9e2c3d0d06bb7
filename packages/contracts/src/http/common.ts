import { CURRENCY_CODES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { DIRECTIONS } from '@vuka/money/directions';
import * as z from 'zod/mini';
import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';

/** "A, B or C" */
const oneOf = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export const WalletCurrency = z.enum(WALLET_CURRENCIES, { error: `Currency must be ${oneOf(WALLET_CURRENCIES)}` });
export type WalletCurrency = z.infer<typeof WalletCurrency>;

/** Also the currencies in which merchants have no wallet; administrators deposit them. */
export const DepositCurrency = z.enum(CURRENCY_CODES, { error: `Currency must be ${oneOf(CURRENCY_CODES)}` });

export const Direction = z.enum(DIRECTIONS, { error: `Direction must be ${oneOf(DIRECTIONS)}` });
export type Direction = z.infer<typeof Direction>;

/** Money in JSON: a decimal string with two places. */
export const Money = z.string().check(z.regex(/^-?\d{1,18}\.\d{2}$/));

const AMOUNT_PATTERN = /^\d{1,12}(\.\d{1,2})?$/;

/** More than twelve digits before the point, or a number that JavaScript writes with an exponent. */
const TOO_LARGE = /^(\d{13,}(\.\d*)?|\d(\.\d+)?e\+\d+)$/;

/**
 * An amount in a request: a number or a numeric string, greater than 0, with at most two decimals and twelve digits
 * before the point. Parsed into a decimal string; money is never computed from the number. `missing` is the message
 * for a missing amount.
 */
export const amountInput = (missing: string) =>
  z.pipe(
    z.union([z.string(), z.number()], { error: missing }),
    z.pipe(
      z.transform((amount: string | number) => String(amount).trim()),
      z.string().check(
        z.refine((amount) => amount !== '', { error: missing, abort: true }),
        z.refine((amount) => !/^-|^0+(\.0*)?$/.test(amount), { error: 'Amount must be greater than 0', abort: true }),
        z.refine((amount) => !TOO_LARGE.test(amount), { error: 'Amount is too large', abort: true }),
        z.regex(AMOUNT_PATTERN, { error: 'Amount must be a number with at most 2 decimals' }),
      ),
    ),
  );
export const AmountInput = amountInput('Amount is required');

/** The message for an amount with decimals that its currency does not have. */
export const WHOLE_AMOUNT = 'Amount must be a whole number';

/** An amount without decimals. */
export const wholeAmount = (amount: typeof AmountInput) =>
  z.pipe(amount, z.string().check(z.regex(/^\d+(\.0{1,2})?$/, { error: WHOLE_AMOUNT })));

export const Pin = z
  .string({ error: 'PIN must be 4 digits' })
  .check(
    z.length(4, { error: 'PIN must be 4 digits', abort: true }),
    z.regex(/^\d{4}$/, { error: 'PIN must be numeric' }),
  );

/** Asked again of an administrator who decides on other people's money; checked in the call that decides. */
export const PinConfirmation = z.object({ pin: Pin });

export const Email = z
  .string({ error: 'Invalid email format' })
  .check(z.maxLength(255, { error: 'Invalid email format' }), z.email({ error: 'Invalid email format' }));

export const Id = z.uuid({ error: 'Invalid id' });

const limitError = { error: 'limit must be a whole number from 1 to 200' };

/** How many entries of a list to return. */
export const PageSize = z.coerce
  .number(limitError)
  .check(z.int(limitError), z.gte(1, limitError), z.lte(200, limitError));
export const PageLimit = z._default(PageSize, 50);

export const Timestamp = z.iso.datetime({ offset: true });

const errorCodes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z.looseObject({
  error: z.string(),
  code: z.enum(errorCodes),
  requestId: z.string(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const Ok = z.object({ ok: z.literal(true) });
