import { SavedSystemSettings, SystemSettingsWithProposal } from '@vuka/contracts/http/proposals';
import {
  NotificationSettings,
  NotificationSettingsReplacement,
  SystemSettings,
  SystemSettingsChange,
} from '@vuka/contracts/http/settings';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Notification and system settings. */
export function settingsRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/notification-settings',
    { schema: { tags, response: { 200: NotificationSettings } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.get('/internal/settings/notification', NotificationSettings, { caller });
    },
  );
  app.post(
    '/api/admin/notification-settings',
    { schema: { tags, body: NotificationSettingsReplacement, response: { 200: NotificationSettings } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.post('/internal/settings/notification', request.body, NotificationSettings, { caller });
    },
  );
  systemSettingsRoutes(app, { sessions, services });
}

function systemSettingsRoutes(app: HttpApp, { sessions, services }: Pick<ApiDeps, 'sessions' | 'services'>): void {
  app.get('/api/admin/system-settings', { schema: { tags, response: { 200: SystemSettings } } }, async (request) => {
    const { caller } = await sessions.requireAdmin(request);
    return services.admin.get('/internal/settings/system', SystemSettings, { caller });
  });
  app.post(
    '/api/admin/system-settings',
    {
      schema: {
        tags,
        summary:
          'Save the settings. 202 if an approval limit is raised: the rest is saved, and another administrator has ' +
          'to approve. The only administrator gets 403 pin_required instead, and repeats the call with the PIN',
        body: SystemSettingsChange,
        response: { 200: SystemSettings, 202: SystemSettingsWithProposal },
      },
    },
    async (request, reply) => {
      const { pin, ...settings } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const saved = await services.admin.post('/internal/settings/system', settings, SavedSystemSettings, { caller });
      const { proposal } = saved;
      return proposal ? reply.code(202).send({ ...saved, proposal }) : saved;
    },
  );
}
