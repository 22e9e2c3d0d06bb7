import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { callApi, errorMessage } from '#shared/api-client.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { groupDigits } from '#shared/format/money.ts';
import { codedText } from '#shared/i18n/coded-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const MESSAGES = i18n('admin/ledger-audit-card', {
  title: 'Ledger',
  holds: 'Every rule of the ledger holds',
  broken: 'A rule of the ledger is broken',
  checkedAt: params('Checked {time}'),
  checked: params('{count} checked'),
  violations: params('{count} violations'),
  lastHeld: params('last held {time}'),
  failed: 'The ledger audit could not be loaded',
});

/** The rules of the ledger, by id. Their English is in the server's answer. */
const RULE_TEXTS = i18n<Record<string, string>>('admin/ledger-invariants', {});

function auditQuery() {
  return queryOptions({
    queryKey: ['/api/admin/ledger/audit'],
    queryFn: ({ signal }) => callApi('/api/admin/ledger/audit', LedgerAudit, { signal }),
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: 30_000,
    meta: { silent: true },
  });
}

/** A rule that nothing was checked against neither holds nor is broken. */
function iconOf({ checked, violations }: LedgerAudit['invariants'][number]) {
  if (violations > 0) return [CircleX, 'text-bad'] as const;
  return checked === 0 ? ([CircleDashed, 'text-ink3'] as const) : ([CircleCheck, 'text-ok'] as const);
}

function Invariant({ invariant }: { invariant: LedgerAudit['invariants'][number] }) {
  const t = useStore(MESSAGES);
  const rules = useStore(RULE_TEXTS);
  const holds = invariant.violations === 0;
  const [Icon, colour] = iconOf(invariant);
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colour}`} />
      <div className="min-w-0">
        <p className="text-small font-medium">{codedText(rules, [{ code: invariant.id }], invariant.statement)}</p>
        <p className="nums text-caption text-ink3">
          {t.checked({ count: groupDigits(String(invariant.checked)) })}
          {holds ? null : (
            <span className="font-semibold text-bad">
              , {t.violations({ count: groupDigits(String(invariant.violations)) })}
            </span>
          )}
          {!holds && invariant.lastHeldAt ? `, ${t.lastHeld({ time: formatDayAndTime(invariant.lastHeldAt) })}` : null}
        </p>
      </div>
    </li>
  );
}

function AuditResult({ audit }: { audit: LedgerAudit }) {
  const t = useStore(MESSAGES);
  return (
    <div className="px-4 pt-1 pb-3 sm:px-5">
      {audit.holds ? (
        <p className="text-small font-semibold text-ok-ink">{t.holds}</p>
      ) : (
        <Notice tone="bad" title={t.broken} />
      )}
      <ul className="mt-1 grid gap-x-8 divide-y divide-line lg:grid-cols-2 lg:divide-y-0">
        {audit.invariants.map((invariant) => (
          <Invariant key={invariant.id} invariant={invariant} />
        ))}
      </ul>
    </div>
  );
}

export function LedgerAuditCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(auditQuery());
  const checkedAt = data && (
    <p className="nums text-caption text-ink3">{t.checkedAt({ time: formatDayAndTime(data.checkedAt) })}</p>
  );
  return (
    <Card title={t.title} aside={checkedAt}>
      {data ? <AuditResult audit={data} /> : null}
      {!data && error ? (
        <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="mx-5 mb-5 h-40" /> : null}
    </Card>
  );
}
