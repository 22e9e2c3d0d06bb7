import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Id, PageLimit, Timestamp } from './common.ts';
import { Day } from './days.ts';

const text = (field: string) =>
  z.optional(
    z
      .string({ error: reason('filter_not_text', { field }) })
      .check(
        z.trim(),
        z.minLength(1, { error: reason('filter_empty', { field }) }),
        z.maxLength(100, { error: reason('filter_too_long', { field, max: 100 }) }),
      ),
  );

/** How the audit trail can be filtered; `from` and `to` are days, both included. */
export const AuditTrailFilters = z.object({
  /** An administrator's id, or a part of their name. */
  actor: text('Actor'),
  action: text('Action'),
  /** The id of the subject, or a part of its name. */
  subject: text('Subject'),
  from: z.optional(Day),
  to: z.optional(Day),
  /** Any text of an entry. */
  q: text('Search'),
});
export type AuditTrailFilters = z.infer<typeof AuditTrailFilters>;

/** The query of `GET /api/admin/audit-trail`. */
export const AuditTrailQuery = z.extend(AuditTrailFilters, {
  limit: PageLimit,
  cursor: z.optional(z.uuid({ error: reason('cursor_invalid') })),
});

/** The subject of an action. `label` is its display name. */
const ActionSubject = z.object({
  kind: z.enum([
    'user',
    'deposit',
    'rates',
    'settings',
    'transfer',
    'queue',
    'logs',
    'fees',
    'withdrawal',
    'reconciliation',
    'exception',
    'simulator',
    'api-key',
    'limits',
    'adjustment',
  ]),
  id: z.string(),
  label: z.nullable(z.string()),
});

/**
 * An administrator's action: who, from where, on what, and the values before and after. The id of the event is the id
 * of the entry. It contains no PIN and no secret.
 */
export const AuditedAction = z.object({
  actor: z.object({ userId: Id, adminId: z.nullable(z.string()), name: z.string() }),
  /** The client's network address as seen by the gateway. */
  address: z.nullable(z.string()),
  /** `<noun>.<past participle>`, such as `rates.updated`. */
  action: z.string().check(z.minLength(1), z.maxLength(100)),
  subject: ActionSubject,
  reason: z.nullable(z.string()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  requestId: z.string(),
  at: Timestamp,
});

export const AuditEntry = z.extend(AuditedAction, { id: Id });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first; `nextCursor` is null on the last page. */
export const AuditTrail = z.object({ entries: z.array(AuditEntry), nextCursor: z.nullable(Id) });
export type AuditTrail = z.infer<typeof AuditTrail>;
