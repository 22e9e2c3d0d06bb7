import { adminOf } from '@vuka/access/caller';
import { createReadRecorder } from '@vuka/access/reads';
import { mayDo } from '@vuka/contracts/http/admin-rights';
import { NotificationQuery, Notifications } from '@vuka/contracts/http/notifications';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { Db, NotificationRow } from '#db/schema.ts';
import { withoutCode } from './code-message.domain.ts';
import { findContacts } from './find-contacts.ts';
import type { NotificationContent, SealedNotifications } from './sealed-notifications.ts';

const PAGE = 50;

export interface NotificationRoutesDeps {
  db: Db;
  identity: Pick<ServiceClient, 'post'>;
  now: () => Date;
  kickRelay: () => void;
  sealed: SealedNotifications;
  /** Codes are shown to no administrator, also where nothing is sent. */
  hidesCodes?: boolean;
}

/** Messages that were sent, or stored because there was no sender. */
export function notificationRoutes(app: HttpApp, deps: NotificationRoutesDeps): void {
  const noteReading = createReadRecorder(deps, '/vuka/admin');
  app.get(
    '/internal/notifications',
    { schema: { querystring: NotificationQuery, response: { 200: Notifications } } },
    async (request) => {
      const caller = adminOf(request, 'notifications.read');
      const { channel, status, before } = request.query;
      const showsKept = !deps.hidesCodes;
      const rows = await findNotifications(deps.db, request.query).execute();
      const seesAll = mayDo(caller.role, 'administrators.read');
      const userIds = seesAll ? [] : rows.map((row) => row.user_id);
      const contacts = await findContacts(deps.identity, userIds);
      const notifications = rows.map((row) => {
        const notification = toNotification(row, deps.sealed.open(row), showsKept);
        return contacts.get(row.user_id)?.isAdmin ? { ...notification, ...WITHHELD } : notification;
      });
      await noteReading({
        caller,
        action: 'messages.viewed',
        subject: { kind: 'logs', id: 'messages' },
        after: { shown: notifications.length },
        what: JSON.stringify([channel, status, before]),
      });
      return { notifications };
    },
  );
}

/** Instead of what may contain an administrator's address; mail servers repeat it in their errors. */
const WITHHELD = { isWithheld: true, recipient: '', subject: null, body: '', lastError: null };

/** A page of messages, newest first. */
export function findNotifications(db: Db, { channel, status, before }: NotificationQuery) {
  let found = db.selectFrom('notifications').selectAll().orderBy('id', 'desc').limit(PAGE);
  if (channel) found = found.where('channel', '=', channel);
  if (status) found = found.where('status', '=', status);
  return before ? found.where('id', '<', before) : found;
}

/** `showsKept`: shows a code in a message that nothing could send. */
function toNotification(
  row: NotificationRow,
  { recipient, subject, body, lastError }: NotificationContent,
  showsKept: boolean,
) {
  const isHidden = row.has_code && !(showsKept && row.status === 'kept');
  return {
    id: row.id,
    occasion: `${row.event_id}/${row.user_id}`,
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
