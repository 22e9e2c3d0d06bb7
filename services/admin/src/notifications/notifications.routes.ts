import { adminOf } from '@vuka/access/caller';
import { NotificationQuery, Notifications } from '@vuka/contracts/http/notifications';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db, NotificationRow } from '#db/schema.ts';
import { withoutCode } from './code-message.domain.ts';

const PAGE = 50;

/** Messages that were sent, or stored because there was no sender. */
export function notificationRoutes(app: HttpApp, deps: { db: Db }): void {
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
      return { notifications: (await query.execute()).map(toNotification) };
    },
  );
}

/** A code is shown only where nothing is sent, which is meant for demonstrations. */
function toNotification(row: NotificationRow) {
  const isHidden = row.has_code && row.status !== 'kept';
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    channel: row.channel,
    recipient: row.recipient,
    subject: isHidden ? row.subject && withoutCode(row.subject) : row.subject,
    body: isHidden ? withoutCode(row.body) : row.body,
    status: row.status,
    attempts: row.attempts,
    sentAt: row.sent_at?.toISOString() ?? null,
    lastError: row.last_error,
  };
}
