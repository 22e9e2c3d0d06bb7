import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { ReconciliationOverview } from '@vuka/contracts/http/reconciliation';
import type { ReactNode } from 'react';
import { ExceptionList } from '#features/reconciliation/exception-list.tsx';
import { FloatTable } from '#features/reconciliation/float-table.tsx';
import { reconciliationQuery } from '#features/reconciliation/reconciliation.api.ts';
import { RunForm } from '#features/reconciliation/run-form.tsx';
import { RunTable } from '#features/reconciliation/run-table.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
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
  const mayDo = useMayDo();
  // One failure is reported once, in the first card. The other cards would be empty.
  const hasFailed = query.isError && query.data === undefined;
  const body = (render: (data: ReconciliationOverview) => ReactNode) => (
    <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
      {render}
    </QueryBody>
  );
  return (
    <AdminPage title={t.title} description={t.description}>
      <Card title={t.exceptions} aside={<RefreshButton query={query} />}>
        {body(({ exceptions }) => (
          <ExceptionList exceptions={exceptions} />
        ))}
      </Card>
      {hasFailed ? null : (
        <Card title={t.float}>
          {body(({ floats }) => (
            <FloatTable floats={floats} />
          ))}
        </Card>
      )}
      {mayDo('reconciliation.run') ? <RunForm /> : null}
      {hasFailed ? null : (
        <Card title={t.runs}>
          {body(({ runs }) => (
            <RunTable runs={runs} />
          ))}
        </Card>
      )}
    </AdminPage>
  );
}
