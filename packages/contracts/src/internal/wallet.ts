import { byCurrency, CURRENCY_CODES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { OperatorAccount } from '../http/adjustments.ts';
import { Id, Money, Timestamp, WalletCurrency } from '../http/common.ts';
import { StatementTotals } from '../http/statements.ts';

/** The currencies of journals: also those that are deposited and never transferred. */
export const LedgerCurrency = z.enum(CURRENCY_CODES);
export type LedgerCurrency = z.infer<typeof LedgerCurrency>;

const MoneyAtLeastZero = z.string().check(z.regex(/^\d{1,15}\.\d{2}$/));
const PositiveMoney = MoneyAtLeastZero.check(z.refine((amount) => /[1-9]/.test(amount)));

/** The caller's idempotency key, derived from the transfer: `<transferId>:hold`. A key has one effect, forever. */
export const WalletKey = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));

// Postgres text cannot hold U+0000.
const Text = z.string().check(
  z.maxLength(500),
  z.refine((text) => !text.includes('\u0000')),
);

const ofTransfer = { key: WalletKey, transferId: Id, userId: Id };

/**
 * Reserves money. Without `expiresAt` only a capture or a release ends it. Holds of transfers have none: an open
 * payout must find its money, however long the provider takes.
 */
export const HoldCommand = z.object({
  kind: z.literal('hold'),
  ...ofTransfer,
  currency: WalletCurrency,
  amount: PositiveMoney,
  expiresAt: z.optional(Timestamp),
});
export type HoldCommand = z.infer<typeof HoldCommand>;

/**
 * Moves the held money: `amount` is the whole hold including its fee. `target.midAmount` is the net amount at the mid
 * rate; its excess over `target.amount` is the margin.
 */
export const CaptureCommand = z.object({
  kind: z.literal('capture'),
  ...ofTransfer,
  holdKey: WalletKey,
  currency: WalletCurrency,
  amount: PositiveMoney,
  fee: MoneyAtLeastZero,
  target: z.object({ currency: WalletCurrency, amount: PositiveMoney, midAmount: PositiveMoney }),
  destination: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('payout'),
      /** An administrator paid it from the operator's bank, so that the float with the provider is unchanged. */
      isFromBank: z.optional(z.boolean()),
    }),
    z.object({ kind: z.literal('wallet'), userId: Id }),
  ]),
});
export type CaptureCommand = z.infer<typeof CaptureCommand>;

export const ReleaseCommand = z.object({
  kind: z.literal('release'),
  ...ofTransfer,
  holdKey: WalletKey,
  currency: WalletCurrency,
  reason: Text,
});
export type ReleaseCommand = z.infer<typeof ReleaseCommand>;

export const DepositCommand = z.object({
  kind: z.literal('deposit'),
  ...ofTransfer,
  currency: LedgerCurrency,
  amount: PositiveMoney,
  adminId: Id,
  description: Text,
});
export type DepositCommand = z.infer<typeof DepositCommand>;

export const WalletCommand = z.discriminatedUnion('kind', [
  HoldCommand,
  CaptureCommand,
  ReleaseCommand,
  DepositCommand,
]);
export type WalletCommand = z.infer<typeof WalletCommand>;

export const WalletRejection = z.enum([
  'insufficient_funds',
  'hold_not_open',
  'hold_not_found',
  'key_reused',
  'mismatch',
  'account_frozen',
]);
export type WalletRejection = z.infer<typeof WalletRejection>;

/**
 * `rejected` with a `journalId` is final: the key stays refused. `rejected` without one, and `failed`, wrote nothing:
 * the same key may be sent again.
 */
export const WalletResult = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('applied'), replayed: z.boolean(), journalId: z.string() }),
  z.object({
    outcome: z.literal('rejected'),
    replayed: z.boolean(),
    journalId: z.optional(z.string()),
    reason: WalletRejection,
  }),
  z.object({
    outcome: z.literal('failed'),
    reason: z.enum(['overloaded', 'internal']),
    retryAfterSeconds: z.int().check(z.positive()),
  }),
]);
export type WalletResult = z.infer<typeof WalletResult>;

/** `POST /internal/commands-batch`: one result per item, in the order of the items. */
export const CommandsBatch = z.object({ items: z.array(WalletCommand).check(z.minLength(1), z.maxLength(500)) });
export type CommandsBatch = z.infer<typeof CommandsBatch>;
export const CommandsBatchResults = z.object({ results: z.array(WalletResult) });
export type CommandsBatchResults = z.infer<typeof CommandsBatchResults>;

/** `POST /internal/adjustments`: moves money between two of the operator's accounts. `id` is the idempotency key. */
export const AdjustmentOrder = z.object({
  id: Id,
  currency: WalletCurrency,
  amount: PositiveMoney,
  from: OperatorAccount,
  to: OperatorAccount,
});
export type AdjustmentOrder = z.infer<typeof AdjustmentOrder>;
export const AdjustmentBooked = z.object({ journalId: z.string() });

/**
 * `GET /internal/operator-accounts`: the balances of the operator's accounts that exist. The operator owes a positive
 * balance.
 */
export const OperatorBalances = z.object({
  accounts: z.array(z.object({ account: OperatorAccount, currency: LedgerCurrency, balance: Money })),
});
export type OperatorBalances = z.infer<typeof OperatorBalances>;

const AccountBalance = z.object({ posted: Money, held: Money, available: Money });

/** `POST /internal/balances-batch`: a user without accounts has zeros. */
export const BalancesBatch = z.object({
  items: z.array(z.object({ userId: Id })).check(z.minLength(1), z.maxLength(500)),
});
export type BalancesBatch = z.infer<typeof BalancesBatch>;
export const UserBalances = z.object({
  userId: Id,
  balances: z.object(byCurrency(WALLET_CURRENCIES, () => AccountBalance)),
});
export type UserBalances = z.infer<typeof UserBalances>;
export const BalancesBatchResults = z.object({ results: z.array(UserBalances) });
export type BalancesBatchResults = z.infer<typeof BalancesBatchResults>;

const AccountEntry = z.object({
  kind: z.enum(['capture', 'deposit']),
  transferId: Id,
  currency: LedgerCurrency,
  /** Including the fee. */
  amount: Money,
  balanceAfter: Money,
  createdAt: Timestamp,
});

/** `GET /internal/accounts/:userId/statement`: a period that includes `from` and excludes `before`. */
export const StatementPeriod = z.object({ from: Timestamp, before: Timestamp });
/** A range of an account's entries: after one number, up to and including another. */
export const EntryRange = z.object({
  accountId: z.string().check(z.regex(/^\d{1,18}$/)),
  afterSeq: z.string().check(z.regex(/^\d{1,18}$/)),
  uptoSeq: z.string().check(z.regex(/^\d{1,18}$/)),
});
export type EntryRange = z.infer<typeof EntryRange>;
/** `held` is the amount reserved now, whatever the period. */
export const AccountStatements = z.object({
  wallets: z.array(z.object({ currency: LedgerCurrency, ...StatementTotals.shape, held: Money, range: EntryRange })),
});
export type AccountStatements = z.infer<typeof AccountStatements>;

/**
 * `POST /internal/accounts/:userId/statement-entries`: oldest first; `next` holds the remaining ranges, null at the
 * end.
 */
export const StatementEntriesQuery = z.object({
  ranges: z.array(EntryRange).check(z.minLength(1), z.maxLength(10)),
  limit: z.int().check(z.minimum(1), z.maximum(500)),
});
export const StatementEntries = z.object({
  entries: z.array(z.extend(AccountEntry, { fee: Money })),
  next: z.nullable(z.array(EntryRange)),
});
export type StatementEntries = z.infer<typeof StatementEntries>;
