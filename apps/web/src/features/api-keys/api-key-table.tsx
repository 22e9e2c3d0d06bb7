import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { RowButton } from '#shared/admin/row-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDay, formatDayAndTime } from '#shared/format/date.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { Moment } from '#shared/ui/moment.tsx';
import { ApiKeyStatus } from './api-key-status.tsx';
import { apiKeysQuery } from './api-keys.api.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { useRevoke } from './use-revoke.ts';

const MESSAGES = i18n('admin/api-key-table', {
  title: 'Issued keys',
  empty: 'No API keys yet',
  emptyDetail: 'Issue one to let another program read transfers as they happen.',
  loadFailed: 'The API keys could not be loaded',
  name: 'Name',
  key: 'Key',
  ending: params('…{ending}'),
  created: 'Created',
  by: 'By',
  createdBy: params('Created {time} by {name}'),
  lastUsed: 'Last used',
  lastUsedAt: params('Last used {time}'),
  never: 'Never',
  neverUsed: 'Never used',
  revokedAt: params('Revoked {time}'),
  issuerBarred: 'The issuer is blocked or may no longer issue keys.',
  status: 'Status',
  actions: 'Actions',
  revoke: 'Revoke',
  revokeOf: params('Revoke {name}'),
});

// Where there is little room the time of day wraps to its own line.
const TIME = 'nums min-w-24';

/** Every key that was ever issued; active ones can be revoked. */
export function ApiKeyTable() {
  const t = useStore(MESSAGES);
  const query = useQuery(apiKeysQuery());
  const revoking = useRevoke();
  const [asked, setAsked] = useState<ApiKey>();
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />}>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(keys) => <Keys keys={keys} isBusy={revoking.isPending} onRevoke={setAsked} />}
      </QueryBody>
      {asked ? (
        <RevokeDialog
          apiKey={asked}
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            revoking.mutate(asked);
          }}
        />
      ) : null}
    </Card>
  );
}

interface KeysProps {
  keys: readonly ApiKey[];
  isBusy: boolean;
  onRevoke: (key: ApiKey) => void;
}

function Keys({ keys, isBusy, onRevoke }: KeysProps) {
  const t = useStore(MESSAGES);
  const mayRevoke = useMayDo()('api-keys.manage');
  const action = (key: ApiKey) =>
    key.revokedAt || !mayRevoke ? null : (
      <RowButton isDanger aria-label={t.revokeOf({ name: key.name })} isBusy={isBusy} onClick={() => onRevoke(key)}>
        {t.revoke}
      </RowButton>
    );
  const ending = ({ ending }: ApiKey): string => t.ending({ ending });
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: t.name,
      cell: (key) => key.name,
      className: 'min-w-32 font-medium [overflow-wrap:anywhere]',
    },
    { key: 'key', header: t.key, cell: ending, className: 'nums whitespace-nowrap' },
    { key: 'created', header: t.created, cell: (key) => <Moment at={key.createdAt} />, className: TIME },
    { key: 'by', header: t.by, cell: (key) => <Issuer apiKey={key} />, className: 'min-w-28' },
    {
      key: 'lastUsed',
      header: t.lastUsed,
      cell: (key) => (key.lastUsedAt ? <Moment at={key.lastUsedAt} /> : t.never),
      className: TIME,
    },
    { key: 'status', header: t.status, cell: (key) => <Status apiKey={key} /> },
    ...(mayRevoke ? [{ key: 'actions', header: t.actions, cell: action, isPinned: true }] : []),
  ];
  return (
    <DataTable
      label={t.title}
      columns={columns}
      rows={keys}
      rowKey={(key) => key.id}
      empty={<EmptyState Icon={KeyRound} title={t.empty} detail={t.emptyDetail} />}
      card={(key) => (
        <>
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <p className="min-w-0 flex-1 basis-32 font-semibold [overflow-wrap:anywhere]">
              {key.name} <span className="nums font-normal whitespace-nowrap text-ink2">{ending(key)}</span>
            </p>
            <ApiKeyStatus apiKey={key} />
          </div>
          <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
            <p className="nums min-w-0 flex-1 basis-32 text-caption text-ink3">
              {t.createdBy({ time: formatDayAndTime(key.createdAt), name: unbroken(key.createdBy.name) })}
              <span className="block">
                {key.lastUsedAt ? t.lastUsedAt({ time: formatDayAndTime(key.lastUsedAt) }) : t.neverUsed}
              </span>
              {key.revokedAt ? (
                <span className="block">{t.revokedAt({ time: formatDayAndTime(key.revokedAt) })}</span>
              ) : null}
              {isRefused(key) ? <span className="block">{t.issuerBarred}</span> : null}
            </p>
            {action(key)}
          </div>
        </>
      )}
    />
  );
}

/** Shows the id as well as the name, because two administrators may have the same name. */
function Issuer({ apiKey: { createdBy } }: { apiKey: ApiKey }) {
  return (
    <>
      {createdBy.name}
      <span className="nums block text-caption text-ink3">{createdBy.adminId}</span>
    </>
  );
}

const isRefused = ({ revokedAt, isIssuerBarred }: ApiKey): boolean => revokedAt === null && isIssuerBarred === true;

function Status({ apiKey }: { apiKey: ApiKey }) {
  const t = useStore(MESSAGES);
  return (
    <>
      <ApiKeyStatus apiKey={apiKey} />
      {apiKey.revokedAt ? (
        <span className="nums block text-caption whitespace-nowrap text-ink3">{formatDay(apiKey.revokedAt)}</span>
      ) : null}
      {isRefused(apiKey) ? <span className="block text-caption text-ink3">{t.issuerBarred}</span> : null}
    </>
  );
}
