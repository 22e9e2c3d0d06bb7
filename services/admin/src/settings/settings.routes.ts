import { About } from '@vuka/contracts/http/about';
import { NotificationSettings, SystemSettings } from '@vuka/contracts/http/admin';
import { SETTINGS_CHANGED } from '@vuka/contracts/messages/settings';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { adminOf, type HttpApp } from '@vuka/service-kit/http-app';
import { EVENTS } from '@vuka/service-kit/messaging/topology';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import type { Db } from '#db/schema.ts';

export interface SettingsRoutesDeps {
  db: Db;
  tokens: InternalTokens;
  now: () => Date;
  kickRelay: () => void;
}

export function settingsRoutes(app: HttpApp, deps: SettingsRoutesDeps): void {
  app.get('/internal/about', { schema: { response: { 200: About } } }, () => findSystemSettings(deps.db));
  app.get('/internal/settings/system', { schema: { response: { 200: SystemSettings } } }, (request) => {
    adminOf(request, deps.tokens);
    return findSystemSettings(deps.db);
  });
  app.post(
    '/internal/settings/system',
    { schema: { body: SystemSettings, response: { 200: SystemSettings } } },
    async (request) => {
      const { userId } = adminOf(request, deps.tokens);
      const saved = await saveSystemSettings(deps, request.body, userId);
      deps.kickRelay();
      return saved;
    },
  );
  app.get(
    '/internal/settings/notification',
    { schema: { response: { 200: NotificationSettings } } },
    async (request) => {
      adminOf(request, deps.tokens);
      const row = await deps.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
      return {
        emailNotifications: row.email_notifications,
        smsNotifications: row.sms_notifications,
        loginAlerts: row.login_alerts,
        transactionAlerts: row.transaction_alerts,
      };
    },
  );
  app.post(
    '/internal/settings/notification',
    { schema: { body: NotificationSettings, response: { 200: NotificationSettings } } },
    async (request) => {
      const { userId } = adminOf(request, deps.tokens);
      const { emailNotifications, smsNotifications, loginAlerts, transactionAlerts } = request.body;
      await deps.db
        .updateTable('settings')
        .set({
          email_notifications: emailNotifications,
          sms_notifications: smsNotifications,
          login_alerts: loginAlerts,
          transaction_alerts: transactionAlerts,
          updated_by: userId,
          updated_at: deps.now(),
        })
        .execute();
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
  };
}

/** Writes the settings, and tells the services that follow them, in one transaction. What is left out stays. */
function saveSystemSettings(deps: SettingsRoutesDeps, settings: SystemSettings, userId: string) {
  const limit = settings.withdrawalApprovalLimit;
  return deps.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('settings')
      .set({
        system_name: settings.systemName,
        support_email: settings.supportEmail,
        max_pin_attempts: settings.maxPinAttempts,
        auto_logout_minutes: settings.autoLogoutMinutes,
        ...(limit ? { withdrawal_approval_limit_kes: limit.KES, withdrawal_approval_limit_tzs: limit.TZS } : {}),
        updated_by: userId,
        updated_at: deps.now(),
      })
      .execute();
    const saved = await findSystemSettings(trx);
    const envelope = cloudEvent({ source: '/vuka/admin', type: SETTINGS_CHANGED, data: saved }, deps.now());
    await appendToOutbox(trx, [{ exchange: EVENTS, envelope }]);
    return saved;
  });
}
