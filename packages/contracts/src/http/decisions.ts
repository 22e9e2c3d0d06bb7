import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';
import { PageLimit, Timestamp } from './common.ts';

const reasonMissing = { error: reason('reason_missing') };

/** Why an administrator does something, as they enter it. */
export const ActionReason = z
  .string(reasonMissing)
  .check(z.trim(), z.minLength(1, reasonMissing), z.maxLength(500, { error: reason('reason_too_long', { max: 500 }) }));

export const AdministratorName = z.object({ adminId: z.string(), name: z.string() });

/** The common fields of what one administrator requests and another decides on. */
export const DECISION = {
  requestedBy: AdministratorName,
  decidedBy: z.nullable(AdministratorName),
  decidedAt: z.nullable(Timestamp),
  refusalReason: z.nullable(z.string()),
};

/** The query of a list by status, in pages. Without a status, it lists what awaits a decision. */
export const decisionsQuery = <Status extends string>(statuses: readonly Status[]) =>
  z.object({
    status: z._default(
      z.enum(statuses as readonly [Status, ...Status[]], { error: reason('status_unknown', allowed(statuses)) }),
      'awaiting_approval' as Status,
    ),
    limit: PageLimit,
    cursor: z.optional(z.uuid({ error: reason('cursor_invalid') })),
  });
