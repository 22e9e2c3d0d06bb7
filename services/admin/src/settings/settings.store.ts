import type { NotificationSettings, SystemSettings } from '@vuka/contracts/http/settings';
import { SETTINGS_CHANGED } from '@vuka/contracts/messages/settings';
import { EVENTS } from '@vuka/contracts/topology';
import { byCurrency, CURRENCY_CODES, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import type { Db, Transaction } from '#db/schema.ts';
import { creditLimitColumn, LIMIT_COLUMNS, type Limits, withdrawalLimitColumn } from './limit.domain.ts';

export async function findSystemSettings(db: Db): Promise<SystemSettings> {
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  return {
    systemName: row.system_name,
    supportEmail: row.support_email,
    maxPinAttempts: row.max_pin_attempts,
    autoLogoutMinutes: row.auto_logout_minutes,
    withdrawalApprovalLimit: byCurrency(WALLET_CURRENCIES, (currency) => row[withdrawalLimitColumn(currency)]),
    creditApprovalLimit: byCurrency(CURRENCY_CODES, (currency) => row[creditLimitColumn(currency)]),
  };
}

export async function findNotificationSettings(db: Db): Promise<NotificationSettings> {
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  return {
    emailNotifications: row.email_notifications,
    smsNotifications: row.sms_notifications,
    loginAlerts: row.login_alerts,
    transactionAlerts: row.transaction_alerts,
  };
}

export function findLimits(db: Db): Promise<Limits> {
  return db.selectFrom('settings').select(LIMIT_COLUMNS).executeTakeFirstOrThrow();
}

/** Locks the settings, so that the state recorded as "before" is the state that the change replaces. */
export async function lockSettings(trx: Transaction): Promise<void> {
  await trx.selectFrom('settings').select('id').forUpdate().execute();
}

/** Publishes the current settings to the services that follow them. */
export async function publishSettings(trx: Transaction, at: Date): Promise<SystemSettings> {
  const saved = await findSystemSettings(trx);
  const envelope = cloudEvent({ source: '/vuka/admin', type: SETTINGS_CHANGED, data: saved }, at);
  await appendToOutbox(trx, [{ exchange: EVENTS, envelope }]);
  return saved;
}
