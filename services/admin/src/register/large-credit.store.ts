import type { LargeCredit, LargeCredits, LargeCreditsQuery } from '@vuka/contracts/http/credits';
import { DAY_MS } from '@vuka/contracts/http/days';
import type { Currency } from '@vuka/money/corridors';
import { cutPage } from '@vuka/service-kit/page';
import type { Db, DepositRow, Transaction } from '#db/schema.ts';
import { creditLimitColumn } from '#settings/limit.domain.ts';

/**
 * The sum that an administrator moved without another's approval in the last 24 hours: credits and deposits together.
 */
export async function sumMovedAlone(
  trx: Transaction,
  { admin_user_id, currency, created_at }: Pick<DepositRow, 'admin_user_id' | 'currency' | 'created_at'>,
): Promise<string> {
  const { moved } = await trx
    .selectFrom('admin_deposits')
    .select(({ fn }) => fn.sum<string | null>('amount').as('moved'))
    .where('admin_user_id', '=', admin_user_id)
    .where('currency', '=', currency)
    .where('approval', '=', 'not_needed')
    .where('ended_at', 'is', null)
    .where('created_at', '>', new Date(created_at.getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  return moved ?? '0';
}

/** The limit above which an administrator's movements wait for another, in whole units as a decimal string. */
export async function findCreditLimit(trx: Transaction, currency: Currency): Promise<string> {
  const column = creditLimitColumn(currency);
  const row = await trx.selectFrom('settings').select(column).executeTakeFirstOrThrow();
  return row[column];
}

/** Large credits and deposits of one status: open ones oldest first, otherwise newest first. */
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
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { credits: rows.map((row) => toLargeCredit(row, readerId)), nextCursor };
}

/** A large credit or deposit as shown to the reading administrator. */
export function toLargeCredit(row: DepositRow, readerId: string): LargeCredit {
  if (row.approval === 'not_needed') throw new Error(`${row.id} is not a large credit`);
  const { checker_id: checkerId } = row;
  const isToMerchant = row.kind === 'credit' && !row.beneficiary_id.startsWith('ADM');
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    status: row.approval,
    amount: row.amount,
    currency: row.currency,
    merchantId: row.beneficiary_id,
    merchantName: row.beneficiary_name ?? '',
    merchantUserId: isToMerchant ? row.beneficiary_user_id : null,
    reason: row.reason,
    reference: row.reference,
    requestedBy: { adminId: row.admin_id, name: row.admin_name ?? '' },
    decidedBy: checkerId === null ? null : { adminId: checkerId, name: row.checker_name ?? '' },
    decidedAt: row.decided_at?.toISOString() ?? null,
    refusalReason: row.refusal_reason,
    transactionId: row.transaction_id,
    endedAt: row.ended_at?.toISOString() ?? null,
    isOwn: row.admin_user_id === readerId || row.beneficiary_user_id === readerId,
  };
}
