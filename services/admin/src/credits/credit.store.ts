import type { LargeCredit, LargeCredits, LargeCreditsQuery } from '@vuka/contracts/http/credits';
import type { Db, DepositRow } from '#db/schema.ts';

/** Above which amounts, whole units as decimal strings, credits wait for another administrator. */
export async function findCreditLimits(db: Db): Promise<{ KES: string; TZS: string }> {
  const row = await db
    .selectFrom('settings')
    .select(['credit_approval_limit_kes', 'credit_approval_limit_tzs'])
    .executeTakeFirstOrThrow();
  return { KES: row.credit_approval_limit_kes, TZS: row.credit_approval_limit_tzs };
}

/** Large credits of one status: whoever waits longest comes first; of what is over, the latest. */
export async function listLargeCredits(db: Db, query: LargeCreditsQuery, readerId: string): Promise<LargeCredits> {
  const { status, limit, cursor } = query;
  const isOldestFirst = status === 'awaiting_approval';
  const found = await db
    .selectFrom('admin_deposits')
    .selectAll()
    .where('approval', '=', status)
    .$if(cursor !== undefined, (credits) => credits.where('id', isOldestFirst ? '>' : '<', cursor ?? ''))
    .orderBy('id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute();
  const credits = found.slice(0, limit).map((row) => toLargeCredit(row, readerId));
  return { credits, nextCursor: found.length > limit ? (credits.at(-1)?.id ?? null) : null };
}

/** A large credit as the administrator who reads it sees it. */
export function toLargeCredit(row: DepositRow, readerId: string): LargeCredit {
  if (row.approval === 'not_needed' || row.currency === 'USD') throw new Error(`${row.id} is no large credit`);
  const { checker_id: checkerId } = row;
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    status: row.approval,
    amount: row.amount,
    currency: row.currency,
    merchantId: row.beneficiary_id,
    merchantName: row.beneficiary_name ?? '',
    reference: row.reference,
    requestedBy: { adminId: row.admin_id, name: row.admin_name ?? '' },
    decidedBy: checkerId === null ? null : { adminId: checkerId, name: row.checker_name ?? '' },
    decidedAt: row.decided_at?.toISOString() ?? null,
    refusalReason: row.refusal_reason,
    transactionId: row.transaction_id,
    isOwn: row.admin_user_id === readerId || row.beneficiary_user_id === readerId,
  };
}
