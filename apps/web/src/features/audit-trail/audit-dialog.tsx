import { useStore } from '@nanostores/react';
import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import { Dialog } from '#shared/admin/dialog.tsx';
import { FactList } from '#shared/admin/fact-list.tsx';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { AUDIT_WORDS, actionText } from './audit-words.ts';

const MESSAGES = i18n('admin/audit-dialog', {
  actor: 'Administrator',
  time: 'Time',
  address: 'Address',
  subject: 'Subject',
  reason: 'Reason',
  request: 'Request ID',
  field: 'Field',
  before: 'Before',
  after: 'After',
  unknown: 'Unknown',
  noDetail: 'This action has no further details.',
});

/** One entry of the trail: who, from where, and the values before and after, side by side. */
export function AuditDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const t = useStore(MESSAGES);
  const words = useStore(AUDIT_WORDS);
  const { actor, subject } = entry;
  const facts = [
    [t.actor, [actor.name, actor.adminId].filter(Boolean).join(' · ')],
    [t.time, formatDayAndTime(entry.at)],
    [t.address, entry.address ?? t.unknown],
    [t.subject, [subject.label, subject.id].filter(Boolean).join(' · ')],
    ...(entry.reason ? [[t.reason, entry.reason] as const] : []),
    [t.request, entry.requestId],
  ] as const;
  return (
    <Dialog title={actionText(words, entry.action)} shape="wide" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-5 pb-5">
        <FactList facts={facts} />
        <Changes before={entry.before ?? {}} after={entry.after ?? {}} />
      </div>
    </Dialog>
  );
}

interface ChangesProps {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

function Changes({ before, after }: ChangesProps) {
  const t = useStore(MESSAGES);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (fields.length === 0) return <p className="text-small text-ink2">{t.noDetail}</p>;
  const head = 'border-b border-line py-2 pr-3 text-caption font-semibold text-ink2';
  const cell = 'border-b border-line py-2 pr-3 align-top whitespace-pre-wrap [overflow-wrap:anywhere]';
  return (
    <table className="w-full table-fixed text-left text-small">
      <thead>
        <tr>
          <th scope="col" className={`w-[28%] ${head}`}>
            {t.field}
          </th>
          <th scope="col" className={head}>
            {t.before}
          </th>
          <th scope="col" className={head}>
            {t.after}
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const [was, is] = [valueText(before[field]), valueText(after[field])];
          return (
            <tr key={field}>
              <th scope="row" className={`font-medium text-ink2 ${cell}`}>
                <span className="capital-first">{field.replace(/_|(?=[A-Z])/g, ' ').toLowerCase()}</span>
              </th>
              <td className={`nums ${cell}`}>{was}</td>
              <td className={`nums ${cell} ${was === is ? '' : 'font-semibold'}`}>{is}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
