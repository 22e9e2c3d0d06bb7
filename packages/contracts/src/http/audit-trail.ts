import * as z from 'zod/mini';
import { ActionRecorded } from '../messages/audit.ts';
import { Id, PageLimit } from './common.ts';
import { Day } from './days.ts';

const text = (what: string) =>
  z.optional(
    z
      .string({ error: `${what} must be one text` })
      .check(
        z.trim(),
        z.minLength(1, { error: `${what} must not be empty` }),
        z.maxLength(100, { error: `${what} must be at most 100 characters` }),
      ),
  );

/** How the audit trail can be filtered; `from` and `to` are days, both included. */
export const AuditTrailFilters = z.object({
  /** An administrator's id, or a part of their name. */
  actor: text('Actor'),
  action: text('Action'),
  /** The id of what was acted on, or a part of its name. */
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
  cursor: z.optional(z.uuid({ error: 'Invalid cursor' })),
});

export const AuditEntry = z.extend(ActionRecorded, { id: Id });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first; `nextCursor` is null on the last page. */
export const AuditTrail = z.object({ entries: z.array(AuditEntry), nextCursor: z.nullable(Id) });
export type AuditTrail = z.infer<typeof AuditTrail>;
