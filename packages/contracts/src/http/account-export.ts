import * as z from 'zod/mini';
import { Id, Money, Timestamp } from './common.ts';
import { OwnLimits } from './limits.ts';
import { LinkedAccount } from './linked-accounts.ts';
import { StatementWallet } from './statements.ts';
import { Tier } from './tiers.ts';
import { Receipt } from './transfers.ts';
import { Withdrawal } from './withdrawals.ts';

const Moment = z.nullable(Timestamp);

/** What identity holds about a person. */
export const ExportedPerson = z.object({
  profile: z.object({
    id: Id,
    merchantId: z.nullable(z.string()),
    fullName: z.string(),
    email: z.string(),
    emailVerifiedAt: Moment,
    phone: z.string(),
    phoneVerifiedAt: Moment,
    country: z.string(),
    defaultCurrency: z.string(),
    tier: Tier,
    isBusiness: z.boolean(),
    isBlocked: z.boolean(),
    pinResetAt: Moment,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  sessions: z.array(
    z.object({ signedInAt: Timestamp, lastSeenAt: Timestamp, address: z.string(), userAgent: z.string() }),
  ),
  devices: z.array(z.object({ firstSeenAt: Timestamp, lastSeenAt: Timestamp })),
  savedRecipients: z.array(z.object({ phone: z.string(), label: z.string(), createdAt: Timestamp })),
  codes: z.array(z.object({ purpose: z.string(), sentTo: z.string(), sentAt: Timestamp, usedAt: Moment })),
});

/** What admin holds about a person: messages without codes, and what administrators did, without who they are. */
export const ExportedRecords = z.object({
  messages: z.array(
    z.object({
      sentAt: Moment,
      createdAt: Timestamp,
      channel: z.string(),
      recipient: z.string(),
      subject: z.nullable(z.string()),
      body: z.string(),
      status: z.string(),
    }),
  ),
  deposits: z.array(
    z.object({
      reference: z.string(),
      at: Timestamp,
      amount: Money,
      currency: z.string(),
      reason: z.string(),
      transactionId: z.nullable(Id),
    }),
  ),
  actionsOfAdministrators: z.array(z.object({ at: Timestamp, action: z.string(), reason: z.nullable(z.string()) })),
});

/** The file of `POST /api/account/export`: everything that is held about a merchant, as JSON. */
export const AccountExport = z.object({
  madeAt: Timestamp,
  ...ExportedPerson.shape,
  ...ExportedRecords.shape,
  limits: OwnLimits,
  linkedAccounts: z.array(LinkedAccount),
  /** Of the whole time, from the ledger. */
  wallets: z.array(StatementWallet),
  transfers: z.array(Receipt.shape.transaction),
  withdrawals: z.array(Withdrawal),
});
export type AccountExport = z.infer<typeof AccountExport>;

/** The tables that each part of the file is read from. */
export const EXPORTED_TABLES: Record<Exclude<keyof AccountExport, 'madeAt'>, readonly string[]> = {
  profile: ['users', 'merchants'],
  sessions: ['sessions'],
  devices: ['devices'],
  savedRecipients: ['saved_recipients'],
  codes: ['one_time_codes'],
  messages: ['notifications'],
  deposits: ['admin_deposits'],
  actionsOfAdministrators: ['audit_trail'],
  limits: ['limit_usage'],
  linkedAccounts: ['linked_accounts', 'mobile_money_accounts', 'bank_accounts', 'payment_recipients'],
  wallets: ['accounts', 'journals', 'ledger_entries', 'holds', 'deposits'],
  transfers: ['transactions', 'money_transfers', 'payments'],
  withdrawals: ['withdrawals'],
};
