import { useStore } from '@nanostores/react';
import { AuditTrail } from '#features/audit-trail/audit-trail.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/audit-trail-page', {
  title: 'Audit Trail',
  description: 'What every administrator did, when and from where. Entries cannot be changed or removed.',
});

export function AuditTrailPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <AuditTrail />
    </AdminPage>
  );
}
