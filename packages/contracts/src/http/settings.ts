import { byCurrency, DEPOSIT_ONLY_CURRENCIES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Pin } from './common.ts';

const Switch = z.boolean({ error: reason('notification_not_boolean') });

export const NotificationSettings = z.object({
  emailNotifications: Switch,
  smsNotifications: Switch,
  loginAlerts: Switch,
  transactionAlerts: Switch,
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

const wholeNumber = (name: 'pin_attempts_out_of_range' | 'auto_logout_out_of_range', min: number, max: number) => {
  const error = reason(name, { min, max });
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));
};

const notWhole = { error: reason('approval_limit_not_whole') };
const ApprovalLimit = z.string(notWhole).check(z.regex(/^\d{1,12}(\.00)?$/, notWhole));
/** In a request: a number or a numeric string. */
const ApprovalLimitInput = z.pipe(
  z.union([ApprovalLimit, z.number()], notWhole),
  z.pipe(z.transform(String), ApprovalLimit),
);

/**
 * The approval limits of withdrawals and of credits, in whole units of each currency. If one of them is omitted, or a
 * currency that is only deposited, it is unchanged.
 */
function approvalLimits<Limit extends z.ZodMiniType<string>>(limit: Limit) {
  const ofWallets = z.object(byCurrency(WALLET_CURRENCIES, () => limit));
  const ofDeposits = byCurrency(DEPOSIT_ONLY_CURRENCIES, () => z.optional(limit));
  return {
    /** Withdrawals above this wait for an administrator. */
    withdrawalApprovalLimit: z.optional(ofWallets),
    /** The most that one administrator credits and deposits in 24 hours; above it another administrator has to approve. */
    creditApprovalLimit: z.optional(z.extend(ofWallets, ofDeposits)),
  };
}

export const SystemSettings = z.object({
  systemName: z
    .string({ error: reason('system_name_missing') })
    .check(
      z.trim(),
      z.minLength(1, { error: reason('system_name_missing') }),
      z.maxLength(60, { error: reason('system_name_too_long', { max: 60 }) }),
    ),
  supportEmail: z.email({ error: reason('support_email_invalid') }),
  maxPinAttempts: wholeNumber('pin_attempts_out_of_range', 1, 10),
  autoLogoutMinutes: wholeNumber('auto_logout_out_of_range', 5, 120),
  ...approvalLimits(ApprovalLimit),
});
export type SystemSettings = z.infer<typeof SystemSettings>;

/** With `replaces`: the settings that these replace. Refused with changed_meanwhile if others are in force. */
export const NotificationSettingsReplacement = z.extend(NotificationSettings, {
  replaces: z.optional(NotificationSettings),
});
export type NotificationSettingsReplacement = z.infer<typeof NotificationSettingsReplacement>;

/** The same for the system settings. */
export const SystemSettingsReplacement = z.extend(SystemSettings, { replaces: z.optional(SystemSettings) });
export type SystemSettingsReplacement = z.infer<typeof SystemSettingsReplacement>;

/** `POST /api/admin/system-settings`: with the only administrator's PIN, for a change that otherwise takes two. */
export const SystemSettingsChange = z.extend(SystemSettingsReplacement, {
  ...approvalLimits(ApprovalLimitInput),
  pin: z.optional(Pin),
});
