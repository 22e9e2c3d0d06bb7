import { useStore } from '@nanostores/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { auditTrailQuery } from '#features/audit-trail/audit-trail.api.ts';
import { AUDIT_WORDS, actionText } from '#features/audit-trail/audit-words.ts';
import { integrationLogsQuery } from '#features/integration-logs/integration-logs.api.ts';
import type { JournalEvent } from '#features/transaction-journal/journal.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { timelineQuery } from '#shared/api/receipts.api.ts';
import { noteText } from '#shared/i18n/transfer-notes.ts';
import { statusView } from '#shared/status-view.ts';

/** What is recorded of a transaction, as far as the administrator's role may read it. */
export function useJournal(id: string, status: string): JournalEvent[] {
  const mayDo = useMayDo();
  const words = useStore(AUDIT_WORDS);
  const { data: rows = [] } = useQuery(timelineQuery(id, status));
  const { data: logs = [] } = useQuery({ ...integrationLogsQuery(id), enabled: mayDo('logs.read') });
  const { data: acts = [] } = useInfiniteQuery({
    ...auditTrailQuery({ subject: id }),
    enabled: mayDo('audit-trail.read'),
  });
  return [
    ...rows.map(({ timestamp, status: step, notes, codes }): JournalEvent => {
      const { text, tone } = statusView(step, 'receipt');
      return {
        key: `status ${timestamp} ${step}`,
        at: timestamp,
        kind: 'status',
        title: text,
        detail: notes ? noteText(notes, codes) : undefined,
        tone: tone === 'green' ? 'ok' : tone === 'red' ? 'bad' : undefined,
      };
    }),
    ...logs.map(
      (log): JournalEvent => ({
        key: log.id,
        at: log.timestamp,
        kind: 'call',
        title: `${log.provider} · ${log.operation}`,
        detail: `${log.requestMethod} ${log.responseStatus ?? '–'}`,
        tone: log.success ? undefined : 'bad',
      }),
    ),
    ...acts.map(
      (act): JournalEvent => ({
        key: act.id,
        at: act.at,
        kind: 'action',
        title: actionText(words, act.action),
        detail: [act.actor.name, act.reason].filter(Boolean).join(' · '),
      }),
    ),
  ];
}
