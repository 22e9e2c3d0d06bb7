import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { ExceptionList } from '#features/reconciliation/exception-list.tsx';
import { FloatTable } from '#features/reconciliation/float-table.tsx';
import { reconciliationQuery } from '#features/reconciliation/reconciliation.api.ts';
import { RunForm } from '#features/reconciliation/run-form.tsx';
import { RunTable } from '#features/reconciliation/run-table.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { AdminPage } from './admin-page.tsx';

const MESSAGES = i18n('admin/reconciliation-page', {
  title: 'Reconciliation',
  description: 'Our books compared with the provider’s statement, every day. Differences wait here for a decision.',
  exceptions: 'Exceptions',
  float: 'Float with the provider',
  runs: 'Comparisons',
  failed: 'The reconciliations could not be loaded',
});

export function ReconciliationPage() {
  const t = useStore(MESSAGES);
  const query = useQuery(reconciliationQuery());
  const failed = (detail: string) => ({ title: t.failed, detail });
  return (
    <AdminPage title={t.title} description={t.description}>
      <Card title={t.exceptions} aside={<RefreshButton query={query} />}>
        <QueryBody query={query} failed={failed}>
          {({ exceptions }) => <ExceptionList exceptions={exceptions} />}
        </QueryBody>
      </Card>
      <Card title={t.float}>
        <QueryBody query={query} failed={failed}>
          {({ floats }) => <FloatTable floats={floats} />}
        </QueryBody>
      </Card>
      <RunForm />
      <Card title={t.runs}>
        <QueryBody query={query} failed={failed}>
          {({ runs }) => <RunTable runs={runs} />}
        </QueryBody>
      </Card>
    </AdminPage>
  );
}
