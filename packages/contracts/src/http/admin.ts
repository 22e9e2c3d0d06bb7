import * as z from 'zod/mini';
import {
  amountInput,
  DepositCurrency,
  Id,
  Money,
  PageSize,
  Pin,
  Timestamp,
  WalletCurrency,
  wholeAmount,
} from './common.ts';
import { TransactionListItem } from './transfers.ts';

/** Of an administrator's movement. None is said to be too little, as 0 is. */
const MovementAmount = wholeAmount(amountInput('Amount must be greater than 0'));

export const AdminDepositRequest = z.object({
  amount: MovementAmount,
  currency: DepositCurrency,
  reason: z
    .string({ error: 'Reason is required' })
    .check(
      z.trim(),
      z.minLength(1, { error: 'Reason is required' }),
      z.maxLength(500, { error: 'Reason must be less than 500 characters' }),
    ),
  pin: z
    .string({ error: 'PIN must be at least 4 digits' })
    .check(
      z.minLength(4, { error: 'PIN must be at least 4 digits' }),
      z.maxLength(6, { error: 'PIN must be at most 6 digits' }),
    ),
});

export const AdminDepositResult = z.object({
  amount: Money,
  currency: DepositCurrency,
  reference: z.string(),
  transactionId: Id,
});

export const AdminDeposits = z.object({
  deposits: z.array(
    z.object({
      id: Id,
      created_at: Timestamp,
      amount: Money,
      currency: DepositCurrency,
      reason: z.string(),
      reference: z.string(),
    }),
  ),
});

export const CreditBalanceRequest = z.object({
  merchantId: z
    .string({ error: 'Invalid merchant ID format' })
    .check(z.regex(/^([A-Z]{4}\d{4}[A-Z]{4}|ADM\d{1,12})$/, { error: 'Invalid merchant ID format' })),
  amount: MovementAmount,
  currency: WalletCurrency,
  /** Of the only administrator, for what otherwise takes two. */
  pin: z.optional(Pin),
});

export const CreditBalanceResult = z.object({
  amount: Money,
  currency: WalletCurrency,
  transactionId: Id,
  merchantId: z.string(),
});

export const Merchant = z.object({
  id: Id,
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  defaultCurrency: WalletCurrency,
  merchantId: z.string(),
  isBlocked: z.boolean(),
  /** Too many wrong PINs: none is accepted before then. Null for who is not locked. */
  lockedUntil: z.nullable(Timestamp),
  createdAt: Timestamp,
});
export type Merchant = z.infer<typeof Merchant>;

/** What the list of merchants can be sorted by; with a `-` in front, the other way round. */
export const MERCHANT_SORTS = [
  'username',
  'fullName',
  'email',
  'phone',
  'country',
  'defaultCurrency',
  'isBlocked',
  'createdAt',
] as const;
export type MerchantSort = (typeof MERCHANT_SORTS)[number];

const sortsBothWays = MERCHANT_SORTS.flatMap((key) => [key, `-${key}`] as const);

/** The query of `GET /api/admin/merchants`. Without a limit the answer is everybody who matches. */
export const MerchantsQuery = z.object({
  /** Words that must all occur in a name, an email, a phone number, a country or a merchant id. */
  search: z.optional(
    z
      .string({ error: 'Search must be one text' })
      .check(z.trim(), z.maxLength(100, { error: 'Search must be at most 100 characters' })),
  ),
  sort: z._default(z.enum(sortsBothWays, { error: 'Unknown sort' }), '-createdAt'),
  limit: z.optional(PageSize),
  /** From the link to the next page. */
  cursor: z.optional(z.string({ error: 'Invalid cursor' }).check(z.maxLength(1_000, { error: 'Invalid cursor' }))),
});
export type MerchantsQuery = z.infer<typeof MerchantsQuery>;

/** A merchant with the state of their PIN. */
export const MerchantAccount = z.extend(Merchant, { failedPinAttempts: z.int(), maxPinAttempts: z.int() });

const WalletState = z.object({ posted: Money, held: Money, available: Money });

/** `GET /api/admin/merchants/{id}`. What a service did not answer in time is null. */
export const MerchantDetail = z.object({
  merchant: MerchantAccount,
  balances: z.nullable(z.object({ KES: WalletState, TZS: WalletState })),
  recentTransactions: z.nullable(z.array(TransactionListItem)),
});
export type MerchantDetail = z.infer<typeof MerchantDetail>;

export const ChangePinRequest = z.object({ currentPin: Pin, newPin: Pin });

const Switch = z.boolean({ error: 'Each notification is on or off' });

export const NotificationSettings = z.object({
  emailNotifications: Switch,
  smsNotifications: Switch,
  loginAlerts: Switch,
  transactionAlerts: Switch,
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

const wholeNumber = (least: number, most: number, error: string) =>
  z.int({ error }).check(z.gte(least, { error }), z.lte(most, { error }));

const LIMIT = 'Approval limit must be a whole number';
const ApprovalLimit = z.string({ error: LIMIT }).check(z.regex(/^\d{1,12}(\.00)?$/, { error: LIMIT }));

/** Whole units of each currency. */
const ApprovalLimits = z.object({ KES: ApprovalLimit, TZS: ApprovalLimit });
/** Only deposits are in USD; left out, that limit stays as it is. */
const CreditApprovalLimits = z.extend(ApprovalLimits, { USD: z.optional(ApprovalLimit) });

export const SystemSettings = z.object({
  systemName: z
    .string({ error: 'System name is required' })
    .check(
      z.trim(),
      z.minLength(1, { error: 'System name is required' }),
      z.maxLength(60, { error: 'System name must be at most 60 characters' }),
    ),
  supportEmail: z.email({ error: 'Invalid email address' }),
  maxPinAttempts: wholeNumber(1, 10, 'Max PIN attempts must be between 1 and 10'),
  autoLogoutMinutes: wholeNumber(5, 120, 'Auto logout must be between 5 and 120 minutes'),
  /** Withdrawals above this wait for an administrator; left out, it stays as it is. */
  withdrawalApprovalLimit: z.optional(ApprovalLimits),
  /**
   * What one administrator credits and deposits in 24 hours; above it another one has to agree. Left out, it stays as
   * it is.
   */
  creditApprovalLimit: z.optional(CreditApprovalLimits),
});
export type SystemSettings = z.infer<typeof SystemSettings>;

/** `POST /api/admin/system-settings`: with the PIN of the only administrator, for what otherwise takes two. */
export const SystemSettingsChange = z.extend(SystemSettings, { pin: z.optional(Pin) });
