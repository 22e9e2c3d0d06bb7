import { useStore } from '@nanostores/react';
import { LogBrowser } from '#features/integration-logs/log-browser.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/integration-logs-page', {
  title: 'Integration Logs',
  description: 'Requests to providers for each transaction, and their answers. Secrets are masked.',
});

export function IntegrationLogsPage() {
  const t = useStore(MESSAGES);
  return (
    <AdminPage title={t.title} description={t.description}>
      <LogBrowser />
    </AdminPage>
  );
}
