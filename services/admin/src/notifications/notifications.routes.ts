import { adminOf } from '@vuka/access/caller';
import { NotificationQuery, Notifications } from '@vuka/contracts/http/notifications';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db, NotificationRow } from '#db/schema.ts';
import { withoutCode } from './code-message.domain.ts';
import type { NotificationContent, SealedNotifications } from './sealed-notifications.ts';

const PAGE = 50;

export interface NotificationRoutesDeps {
  db: Db;
  sealed: SealedNotifications;
}

/** Messages that were sent, or stored because there was no sender. */
export function notificationRoutes(app: HttpApp, deps: NotificationRoutesDeps): void {
  app.get(
    '/internal/notifications',
    { schema: { querystring: NotificationQuery, response: { 200: Notifications } } },
    async (request) => {
      adminOf(request, 'notifications.read');
      const { channel, status, before } = request.query;
      let query = deps.db.selectFrom('notifications').selectAll().orderBy('id', 'desc').limit(PAGE);
      if (channel) query = query.where('channel', '=', channel);
      if (status) query = query.where('status', '=', status);
      if (before) query = query.where('id', '<', before);
      return { notifications: (await query.execute()).map((row) => toNotification(row, deps.sealed.open(row))) };
    },
  );
}

/** A code is shown only where nothing is sent, which is meant for demonstrations. */
function toNotification(row: NotificationRow, { recipient, subject, body, lastError }: NotificationContent) {
  const isHidden = row.has_code && row.status !== 'kept';
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    channel: row.channel,
    recipient,
    subject: isHidden ? subject && withoutCode(subject) : subject,
    body: isHidden ? withoutCode(body) : body,
    status: row.status,
    attempts: row.attempts,
    sentAt: row.sent_at?.toISOString() ?? null,
    lastError,
  };
}
