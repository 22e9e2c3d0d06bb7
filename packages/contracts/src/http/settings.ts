import { byCurrency, DEPOSIT_ONLY_CURRENCIES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { Pin } from './common.ts';

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
const ApprovalLimits = z.object(byCurrency(WALLET_CURRENCIES, () => ApprovalLimit));
/** If a currency that is only deposited is omitted, its limit is unchanged. */
const CreditApprovalLimits = z.extend(
  ApprovalLimits,
  byCurrency(DEPOSIT_ONLY_CURRENCIES, () => z.optional(ApprovalLimit)),
);

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
  /** Withdrawals above this wait for an administrator; if omitted, the limit is unchanged. */
  withdrawalApprovalLimit: z.optional(ApprovalLimits),
  /**
   * The most that one administrator credits and deposits in 24 hours; above it another administrator has to approve.
   * If omitted, the limit is unchanged.
   */
  creditApprovalLimit: z.optional(CreditApprovalLimits),
});
export type SystemSettings = z.infer<typeof SystemSettings>;

/** `POST /api/admin/system-settings`: with the only administrator's PIN, for a change that otherwise takes two. */
export const SystemSettingsChange = z.extend(SystemSettings, { pin: z.optional(Pin) });
