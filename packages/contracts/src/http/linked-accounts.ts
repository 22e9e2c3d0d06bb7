import { carriersOf } from '@vuka/money/networks';
import { splitPhone } from '@vuka/money/phones';
import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';
import { Id, onlyShown, Timestamp, WalletCurrency } from './common.ts';
import { PaymentPin } from './orders.ts';
import { RecipientPhone } from './recipients.ts';

/** How many linked accounts a merchant can have at once. */
export const MAX_LINKED_ACCOUNTS = 10;

const TYPES = ['mobile_money', 'bank'] as const;

const text = (field: 'account_name' | 'bank_name' | 'carrier', min: number, max: number) =>
  z
    .string({ error: reason(`${field}_missing`) })
    .check(
      z.trim(),
      z.minLength(min, { error: reason(`${field}_too_short`, { min }) }),
      z.maxLength(max, { error: reason(`${field}_too_long`, { max }) }),
      onlyShown,
    );
const optionalCode = (pattern: RegExp, error: string) =>
  z.optional(z.string({ error }).check(z.regex(pattern, { error })));

export const AccountName = text('account_name', 3, 60);

export const NewMobileMoneyAccount = z.object({
  accountType: z.literal('mobile_money'),
  accountName: AccountName,
  phoneNumber: RecipientPhone,
  carrier: text('carrier', 2, 30),
  isDefault: z.optional(z.boolean()),
  pin: PaymentPin,
});

export const NewBankAccount = z.object({
  accountType: z.literal('bank'),
  accountName: AccountName,
  currency: WalletCurrency,
  bankName: text('bank_name', 3, 60),
  accountNumber: z
    .string({ error: reason('account_number_missing') })
    .check(z.trim(), z.regex(/^[A-Za-z0-9-]{5,34}$/, { error: reason('account_number_invalid') })),
  branchCode: optionalCode(/^[A-Za-z0-9-]{2,20}$/, reason('branch_code_invalid')),
  swiftCode: optionalCode(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, reason('swift_code_invalid')),
  isDefault: z.optional(z.boolean()),
  pin: PaymentPin,
});

/**
 * `POST /api/linked-accounts`. A phone's currency and country follow from its number; a bank account states its own.
 */
export const NewLinkedAccount = z
  .discriminatedUnion('accountType', [NewMobileMoneyAccount, NewBankAccount], {
    error: reason('account_type_unknown', allowed(TYPES)),
  })
  .check(
    z.refine((account) => account.accountType === 'bank' || servesCountryOf(account.phoneNumber, account.carrier), {
      error: reason('carrier_foreign'),
      path: ['carrier'],
    }),
  );
export type NewLinkedAccount = z.infer<typeof NewLinkedAccount>;

function servesCountryOf(phone: string, carrier: string): boolean {
  const split = splitPhone(phone);
  return split !== undefined && carriersOf(split.country).includes(carrier);
}

/** `PATCH /api/linked-accounts/{id}`: a new name, or the default of its currency. */
export const LinkedAccountChange = z
  .object({ accountName: z.optional(AccountName), isDefault: z.optional(z.literal(true)) })
  .check(
    z.refine(({ accountName, isDefault }) => accountName !== undefined || isDefault !== undefined, {
      error: reason('account_change_empty'),
    }),
  );
export type LinkedAccountChange = z.infer<typeof LinkedAccountChange>;

export const LinkedAccountType = z.enum(TYPES);
export type LinkedAccountType = z.infer<typeof LinkedAccountType>;

export const LinkedAccount = z.object({
  id: Id,
  accountType: LinkedAccountType,
  accountName: z.string(),
  currency: WalletCurrency,
  isDefault: z.boolean(),
  createdAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
  mobileMoney: z.nullable(z.object({ phoneNumber: z.string(), carrier: z.string(), countryCode: z.string() })),
  bank: z.nullable(
    z.object({
      bankName: z.string(),
      accountNumber: z.string(),
      branchCode: z.nullable(z.string()),
      swiftCode: z.nullable(z.string()),
    }),
  ),
});
export type LinkedAccount = z.infer<typeof LinkedAccount>;

/** `GET /api/linked-accounts`: the active ones, defaults first. */
export const LinkedAccounts = z.object({ accounts: z.array(LinkedAccount) });
