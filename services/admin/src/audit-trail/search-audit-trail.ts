import type { AuditEntry, AuditTrail } from '@vuka/contracts/http/audit-trail';
import type { AuditTrailSearch } from '@vuka/contracts/internal/admin';
import { planFreely } from '@vuka/service-kit/database';
import { cutPage } from '@vuka/service-kit/page';
import { createReadSlots } from '@vuka/service-kit/slots';
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

/** Messages, credits and approvals need the other connections. */
const AT_ONCE = { atOnce: 2, most: 10, what: 'pages of the audit trail' };
/** A text that is rarely found has all entries read. */
const LONGEST_MS = 5_000;

/**
 * Searches for the entries that match every filter, newest first. Throws overloaded while too many searches are under way;
 * one that takes too long fails.
 */
export function createAuditSearch(db: Db): (search: AuditTrailSearch) => Promise<AuditTrail> {
  const inTurn = createReadSlots(AT_ONCE);
  return (search) =>
    inTurn(() =>
      planFreely(db, async (trx) => {
        await sql`select set_config('statement_timeout', ${String(LONGEST_MS)}, true)`.execute(trx);
        return searchAuditTrail(trx, search);
      }),
    );
}

async function searchAuditTrail(db: Db, search: AuditTrailSearch): Promise<AuditTrail> {
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
