import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { Adjustment, Adjustments, AdjustmentsQuery } from '@vuka/contracts/http/adjustments';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import { cutPage } from '@vuka/service-kit/page';
import type { AdjustmentRow, Db, Transaction } from '#db/schema.ts';

/** Adjustments of one status: open ones oldest first, otherwise newest first. */
export async function listAdjustments(db: Db, query: AdjustmentsQuery, readerId: string): Promise<Adjustments> {
  const { status, limit, cursor } = query;
  const isOldestFirst = status === 'awaiting_approval';
  const found = await db
    .selectFrom('adjustments')
    .selectAll()
    .where('status', '=', status)
    .$if(cursor !== undefined, (rows) => rows.where('id', isOldestFirst ? '>' : '<', cursor ?? ''))
    .orderBy('id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { adjustments: rows.map((row) => toAdjustment(row, readerId)), nextCursor };
}

/** An adjustment as shown to the reading administrator. */
export function toAdjustment(row: AdjustmentRow, readerId: string): Adjustment {
  const { id, status, kind, amount, currency, reason, reference, decider_id: deciderId } = row;
  return {
    id,
    createdAt: row.created_at.toISOString(),
    status,
    kind,
    amount,
    currency,
    from: row.from_account,
    to: row.to_account,
    reason,
    reference,
    requestedBy: { adminId: row.requester_id, name: row.requester_name },
    decidedBy: deciderId === null ? null : { adminId: deciderId, name: row.decider_name ?? '' },
    decidedAt: row.decided_at?.toISOString() ?? null,
    refusalReason: row.refusal_reason,
    journalId: row.journal_id,
    isOwn: row.requester_user_id === readerId,
  };
}

/** Records an action on an adjustment, with the facts that a reader of the audit trail needs. */
export function recordAdjustment(
  trx: Transaction,
  row: AdjustmentRow,
  { caller, action, at, before }: { caller: Caller; action: AuditAction; at: Date; before?: object },
): Promise<void> {
  const { id, reference, kind, amount, currency, status, from_account: from, to_account: to } = row;
  const reason = row.refusal_reason ?? row.reason;
  const after = { kind, amount, currency, from, to, status, requestedBy: row.requester_id };
  const subject = { kind: 'adjustment' as const, id, label: reference };
  return recordAction(
    trx,
    { source: '/vuka/admin', caller, action, subject, reason, ...(before ? { before: { ...before } } : {}), after },
    at,
  );
}
