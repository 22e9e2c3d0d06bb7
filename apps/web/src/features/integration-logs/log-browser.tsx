import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { ScrollText, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FilterField } from '#shared/admin/filter-field.tsx';
import { ListEnd } from '#shared/admin/list-end.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { generateTestLogs, groupLogs, integrationLogQuery, integrationLogsQuery } from './integration-logs.api.ts';
import { LogDialog } from './log-dialog.tsx';
import { LogGroupRow } from './log-group.tsx';

const MESSAGES = i18n('admin/log-browser', {
  title: 'Calls by transaction',
  filter: 'Filter by transaction ID',
  filterHint: 'Part of a recent ID, or a whole ID of any age',
  empty: 'No integration logs found',
  emptyDetail: 'Each request to a provider appears here, with its answer.',
  generate: 'Generate Test Logs',
  generating: 'Generating...',
  noMatch: 'No transaction ID contains this text',
  loadFailed: 'Error Loading Logs',
  loadFailedDetail: 'Failed to fetch integration logs',
  detailFailed: 'Error Loading Details',
  detailFailedDetail: 'Failed to fetch log details',
});

export function LogBrowser() {
  const t = useStore(MESSAGES);
  const [filter, setFilter] = useState('');
  const query = useQuery(integrationLogsQuery(filter));
  const { isError, errorUpdatedAt } = query;
  const detail = useLogDetail();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is shown once, even if it equals the last.
  useEffect(() => {
    if (isError) showError(t.loadFailed, t.loadFailedDetail);
  }, [isError, errorUpdatedAt]);
  return (
    <Card title={t.title} isOneRow aside={<RefreshButton query={query} />}>
      <div className="px-4 pb-4 sm:px-5">
        <FilterField
          label={t.filter}
          hint={t.filterHint}
          className="w-full max-w-96"
          value={filter}
          onChange={setFilter}
        />
      </div>
      <QueryBody query={query} failed={() => ({ title: t.loadFailed, detail: t.loadFailedDetail })}>
        {(logs) => (
          <>
            <Groups logs={logs} filter={filter} onOpen={detail.open} />
            <ListEnd list="integrationLogs" length={logs.length} />
          </>
        )}
      </QueryBody>
      {detail.log ? <LogDialog log={detail.log} onClose={detail.close} /> : null}
    </Card>
  );
}

/** Shows the list's copy of a log at once, then the server's full one. */
function useLogDetail() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const [log, setLog] = useState<IntegrationLog>();
  const shownId = useRef<string>(undefined);
  const show = (next: IntegrationLog | undefined): void => {
    shownId.current = next?.id;
    setLog(next);
  };
  const open = (listed: IntegrationLog): void => {
    show(listed);
    // By the time of the answer, another log may be shown, or none.
    const isShown = () => shownId.current === listed.id;
    client.fetchQuery(integrationLogQuery(listed.id)).then(
      (fresh) => isShown() && show(fresh),
      () => {
        if (!isShown()) return;
        show(undefined);
        showError(t.detailFailed, t.detailFailedDetail);
      },
    );
  };
  return { log, open, close: () => show(undefined) };
}

interface GroupsProps {
  logs: readonly IntegrationLog[];
  filter: string;
  onOpen: (log: IntegrationLog) => void;
}

function Groups({ logs, filter, onOpen }: GroupsProps) {
  const t = useStore(MESSAGES);
  if (logs.length === 0 && filter.trim() === '') return <Empty />;
  const groups = groupLogs(logs, filter);
  if (groups.length === 0) {
    return (
      <div className="border-t border-line">
        <EmptyState Icon={SearchX} title={t.noMatch} />
      </div>
    );
  }
  return (
    <ul className="divide-y divide-line overflow-clip rounded-b-card border-t border-line">
      {groups.map((group) => (
        <LogGroupRow key={group.transactionId ?? ''} group={group} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Empty() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const mayGenerate = useMayDo()('logs.generate');
  const generate = useMutation({
    mutationFn: generateTestLogs,
    meta: { silent: true },
    onSuccess: (logs) => client.setQueryData(integrationLogsQuery('').queryKey, logs),
    onError: () => showError(t.loadFailed, t.loadFailedDetail),
  });
  const action = mayGenerate ? (
    <Button
      variant="secondary"
      isPending={generate.isPending}
      isBusy={generate.isPending}
      onClick={() => generate.mutate()}
    >
      {generate.isPending ? t.generating : t.generate}
    </Button>
  ) : null;
  return (
    <div className="border-t border-line">
      <EmptyState Icon={ScrollText} title={t.empty} detail={t.emptyDetail} action={action} />
    </div>
  );
}
