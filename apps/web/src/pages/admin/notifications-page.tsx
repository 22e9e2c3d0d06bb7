import { useStore } from '@nanostores/react';
import { NotificationList } from '#features/notifications/notification-list.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/notifications-page', {
  title: 'Notifications',
  description: 'Emails and text messages to merchants. The switches are in Admin Settings.',
});

export function NotificationsPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <NotificationList />
    </AdminPage>
  );
}
