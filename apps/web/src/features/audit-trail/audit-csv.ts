import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import { toCsv } from '#shared/admin/csv.ts';

const HEADER = [
  'Time (UTC)',
  'Administrator',
  'Administrator ID',
  'Address',
  'Action',
  'Subject',
  'Subject ID',
  'Name',
  'Reason',
  'Before',
  'After',
  'Request ID',
];

/** `lastLine` is added below the entries. */
export function auditCsv(entries: readonly AuditEntry[], lastLine?: string): string {
  const facts = (values: AuditEntry['before']): string => (values === null ? '' : JSON.stringify(values));
  const rows = entries.map(({ at, actor, address, action, subject, reason, before, after, requestId }) => [
    at,
    actor.name,
    actor.adminId ?? '',
    address ?? '',
    action,
    subject.kind,
    subject.id,
    subject.label ?? '',
    reason ?? '',
    facts(before),
    facts(after),
    requestId,
  ]);
  return toCsv([HEADER, ...rows, ...(lastLine ? [[lastLine]] : [])]);
}
