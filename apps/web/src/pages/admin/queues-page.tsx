import { useStore } from '@nanostores/react';
import { QueueOverview } from '#features/queues/queue-overview.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/queues-page', {
  title: 'Message Queues',
  description:
    'Messages that wait between services. A message that failed for good stays here until an administrator sends it again or drops it.',
});

export function QueuesPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <QueueOverview />
    </AdminPage>
  );
}
