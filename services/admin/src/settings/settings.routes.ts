import { About } from '@vuka/contracts/http/about';
import { NotificationSettings, SystemSettings } from '@vuka/contracts/http/admin';
import { SETTINGS_CHANGED } from '@vuka/contracts/messages/settings';
import { EVENTS } from '@vuka/contracts/topology';
import { recordAction } from '@vuka/service-kit/audit';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { adminOf, confirmedAdminOf, type HttpApp } from '@vuka/service-kit/http-app';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { Caller, InternalTokens } from '@vuka/service-kit/tokens';
import type * as z from 'zod/mini';
import type { Db, Transaction } from '#db/schema.ts';

type Notifications = z.infer<typeof NotificationSettings>;

export interface SettingsRoutesDeps {
  db: Db;
  tokens: InternalTokens;
  now: () => Date;
  kickRelay: () => void;
  /** There in demonstrations alone. */
  simulator?: ServiceClient | undefined;
}

export function settingsRoutes(app: HttpApp, deps: SettingsRoutesDeps): void {
  app.get('/internal/about', { schema: { response: { 200: About } } }, async () => ({
    ...(await findSystemSettings(deps.db)),
    ...(deps.simulator ? { isDemo: true } : {}),
  }));
  app.get('/internal/settings/system', { schema: { response: { 200: SystemSettings } } }, (request) => {
    adminOf(request, deps.tokens);
    return findSystemSettings(deps.db);
  });
  app.post(
    '/internal/settings/system',
    { schema: { body: SystemSettings, response: { 200: SystemSettings } } },
    async (request) => {
      const saved = await saveSystemSettings(deps, request.body, confirmedAdminOf(request, deps.tokens));
      deps.kickRelay();
      return saved;
    },
  );
  app.get(
    '/internal/settings/notification',
    { schema: { response: { 200: NotificationSettings } } },
    async (request) => {
      adminOf(request, deps.tokens);
      return findNotificationSettings(deps.db);
    },
  );
  app.post(
    '/internal/settings/notification',
    { schema: { body: NotificationSettings, response: { 200: NotificationSettings } } },
    async (request) => {
      await saveNotificationSettings(deps, request.body, confirmedAdminOf(request, deps.tokens));
      deps.kickRelay();
      return request.body;
    },
  );
}

async function findSystemSettings(db: Db): Promise<SystemSettings> {
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  return {
    systemName: row.system_name,
    supportEmail: row.support_email,
    maxPinAttempts: row.max_pin_attempts,
    autoLogoutMinutes: row.auto_logout_minutes,
    withdrawalApprovalLimit: { KES: row.withdrawal_approval_limit_kes, TZS: row.withdrawal_approval_limit_tzs },
    creditApprovalLimit: { KES: row.credit_approval_limit_kes, TZS: row.credit_approval_limit_tzs },
  };
}

async function findNotificationSettings(db: Db): Promise<Notifications> {
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  return {
    emailNotifications: row.email_notifications,
    smsNotifications: row.sms_notifications,
    loginAlerts: row.login_alerts,
    transactionAlerts: row.transaction_alerts,
  };
}

/** Writes the settings, and tells the services that follow them, in one transaction. What is left out stays. */
function saveSystemSettings(deps: SettingsRoutesDeps, settings: SystemSettings, caller: Caller) {
  const now = deps.now();
  const { withdrawalApprovalLimit: withdrawals, creditApprovalLimit: credits } = settings;
  return deps.db.transaction().execute(async (trx) => {
    await lockSettings(trx);
    const before = await findSystemSettings(trx);
    await trx
      .updateTable('settings')
      .set({
        system_name: settings.systemName,
        support_email: settings.supportEmail,
        max_pin_attempts: settings.maxPinAttempts,
        auto_logout_minutes: settings.autoLogoutMinutes,
        ...(withdrawals
          ? { withdrawal_approval_limit_kes: withdrawals.KES, withdrawal_approval_limit_tzs: withdrawals.TZS }
          : {}),
        ...(credits ? { credit_approval_limit_kes: credits.KES, credit_approval_limit_tzs: credits.TZS } : {}),
        updated_by: caller.userId,
        updated_at: now,
      })
      .execute();
    const saved = await findSystemSettings(trx);
    const envelope = cloudEvent({ source: '/vuka/admin', type: SETTINGS_CHANGED, data: saved }, now);
    await appendToOutbox(trx, [{ exchange: EVENTS, envelope }]);
    const subject = { kind: 'settings' as const, id: 'system' };
    const change = { action: 'settings.system-changed', subject, before, after: saved };
    await recordAction(trx, { source: '/vuka/admin', caller, ...change }, now);
    return saved;
  });
}

function saveNotificationSettings(deps: SettingsRoutesDeps, settings: Notifications, caller: Caller): Promise<void> {
  const now = deps.now();
  return deps.db.transaction().execute(async (trx) => {
    await lockSettings(trx);
    const before = await findNotificationSettings(trx);
    await trx
      .updateTable('settings')
      .set({
        email_notifications: settings.emailNotifications,
        sms_notifications: settings.smsNotifications,
        login_alerts: settings.loginAlerts,
        transaction_alerts: settings.transactionAlerts,
        updated_by: caller.userId,
        updated_at: now,
      })
      .execute();
    const subject = { kind: 'settings' as const, id: 'notification' };
    const change = { action: 'settings.notification-changed', subject, before, after: settings };
    await recordAction(trx, { source: '/vuka/admin', caller, ...change }, now);
  });
}

/** What is recorded as the state before a change must be what the change replaced. */
async function lockSettings(trx: Transaction): Promise<void> {
  await trx.selectFrom('settings').select('id').forUpdate().execute();
}
