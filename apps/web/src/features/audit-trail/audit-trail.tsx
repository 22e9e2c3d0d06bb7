import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '#shared/admin/csv.ts';
import { failureText } from '#shared/admin/failure-text.ts';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { auditCsv } from './audit-csv.ts';
import { AuditDialog } from './audit-dialog.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { auditTrailQuery, fetchForExport, useAuditFilters } from './audit-trail.api.ts';

const MESSAGES = i18n('admin/audit-trail', {
  title: 'Actions',
  export: 'Export',
  exportFailed: 'Failed to export the audit trail',
  more: 'Show more',
  failed: params('Error loading the audit trail: {message}'),
});

export function AuditTrail() {
  const t = useStore(MESSAGES);
  const { filters, typed, change } = useAuditFilters();
  const query = useInfiniteQuery(auditTrailQuery(filters));
  const [opened, setOpened] = useState<AuditEntry>();
  const download = useMutation({
    mutationFn: () => fetchForExport(filters),
    meta: { silent: true },
    onSuccess: (entries) => downloadCsv('audit-trail.csv', auditCsv(entries)),
    onError: (error) => showError(t.exportFailed, failureText(error, t.exportFailed)),
  });
  return (
    <Card
      title={t.title}
      aside={
        <div className="-mx-3 flex items-center">
          <RefreshButton query={query} />
          <Button
            variant="quiet"
            size="small"
            isPending={download.isPending}
            disabled={download.isPending || !query.data?.length}
            onClick={() => download.mutate()}
          >
            {download.isPending ? null : <Download aria-hidden className="size-5" />}
            {t.export}
          </Button>
        </div>
      }
    >
      <AuditFilters filters={filters} typed={typed} onChange={change} />
      <QueryBody query={query} failed={(message) => ({ title: t.failed({ message }) })}>
        {(entries) => <AuditTable entries={entries} onOpen={setOpened} />}
      </QueryBody>
      {query.hasNextPage ? (
        <div className="border-t border-line p-3 text-center">
          <Button
            variant="quiet"
            isPending={query.isFetchingNextPage}
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t.more}
          </Button>
        </div>
      ) : null}
      {opened ? <AuditDialog entry={opened} onClose={() => setOpened(undefined)} /> : null}
    </Card>
  );
}
