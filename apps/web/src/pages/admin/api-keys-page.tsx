import { useStore } from '@nanostores/react';
import { ApiKeyTable } from '#features/api-keys/api-key-table.tsx';
import { NewApiKey } from '#features/api-keys/new-api-key.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/api-keys-page', {
  title: 'API Keys',
  description: 'With a key, another program reads every transfer as it happens. It opens nothing else.',
});

export function ApiKeysPage() {
  const t = useStore(MESSAGES);
  const mayDo = useMayDo();
  return (
    <AdminPage title={t.title} description={t.description}>
      <ApiKeyTable />
      {mayDo('api-keys.manage') ? <NewApiKey /> : null}
    </AdminPage>
  );
}
