import type { AuditEntry, AuditTrail } from '@vuka/contracts/http/audit-trail';
import type { AuditTrailSearch } from '@vuka/contracts/internal/admin';
import { cutPage } from '@vuka/service-kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { AuditRow, Db } from '#db/schema.ts';

/** The columns that `q` searches. */
const TEXTS = [
  'actor_id',
  'actor_name',
  'address',
  'action',
  'subject_id',
  'subject_label',
  'reason',
  'before',
  'after',
  'request_id',
] as const;

/** The entries that match every filter, newest first. */
export async function searchAuditTrail(db: Db, search: AuditTrailSearch): Promise<AuditTrail> {
  const { actor, action, subject, from, before, q, limit, cursor } = search;
  let entries = db.selectFrom('audit_trail').selectAll();
  if (actor) entries = entries.where(holdsEither(actor, ['actor_id', 'actor_name']));
  if (action) entries = entries.where('action', '=', action);
  if (subject) entries = entries.where(holdsEither(subject, ['subject_id', 'subject_label']));
  if (from) entries = entries.where('at', '>=', new Date(from));
  if (before) entries = entries.where('at', '<', new Date(before));
  if (q) entries = entries.where(holdsEither(q, TEXTS));
  if (cursor) entries = entries.where('id', '<', cursor);
  const found = await entries
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { entries: rows.map(toEntry), nextCursor };
}

/** Whether a column contains a text, ignoring case and literally: `%` and `_` are not wildcards. */
function holdsEither(text: string, columns: readonly (keyof AuditRow)[]): RawBuilder<boolean> {
  const tests = columns.map((column) => sql`position(lower(${text}) in lower(${sql.ref(column)}::text)) > 0`);
  return sql<boolean>`(${sql.join(tests, sql` or `)})`;
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { userId: row.actor_user_id, adminId: row.actor_id, name: row.actor_name },
    address: row.address,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id, label: row.subject_label },
    reason: row.reason,
    before: row.before,
    after: row.after,
    requestId: row.request_id,
  };
}
