import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import { History } from 'lucide-react';
import { useState } from 'react';
import { ListActions } from '#shared/admin/list-actions.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { ShowMore } from '#shared/admin/show-more.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { auditCsv } from './audit-csv.ts';
import { AuditDialog } from './audit-dialog.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { auditTrailQuery, fetchForExport, useAuditFilters } from './audit-trail.api.ts';

const MESSAGES = i18n('admin/audit-trail', {
  title: 'Actions',
  exportFailed: 'Failed to export the audit trail',
  cut: 'The file is incomplete',
  cutDetail: 'The file has the newest 5,000 matching actions. Narrow the filters to export the others.',
  failed: 'The audit trail could not be loaded',
  empty: 'No actions yet',
  emptyDetail: 'What administrators do appears here.',
  noMatch: 'No actions match',
  noMatchDetail: 'Change or remove a filter to see more.',
});

export function AuditTrail() {
  const t = useStore(MESSAGES);
  const { filters, typed, change } = useAuditFilters();
  const query = useInfiniteQuery(auditTrailQuery(filters));
  const [opened, setOpened] = useState<AuditEntry>();
  const makeCsv = async (): Promise<string> => {
    const { entries, isCut } = await fetchForExport(filters);
    if (isCut) showToast({ title: t.cut, description: t.cutDetail });
    return auditCsv(entries, isCut ? t.cutDetail : undefined);
  };
  const isFiltered = Object.values(filters).some(Boolean);
  const empty = isFiltered ? (
    <EmptyState Icon={History} title={t.noMatch} detail={t.noMatchDetail} />
  ) : (
    <EmptyState Icon={History} title={t.empty} detail={t.emptyDetail} />
  );
  return (
    <Card
      title={t.title}
      aside={
        <ListActions
          query={query}
          file="audit-trail.csv"
          failed={t.exportFailed}
          isEmpty={!query.data?.length}
          makeCsv={makeCsv}
        />
      }
    >
      <AuditFilters filters={filters} typed={typed} onChange={change} />
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {(entries) => <AuditTable entries={entries} onOpen={setOpened} empty={empty} />}
      </QueryBody>
      <ShowMore query={query} />
      {opened ? <AuditDialog entry={opened} onClose={() => setOpened(undefined)} /> : null}
    </Card>
  );
}
