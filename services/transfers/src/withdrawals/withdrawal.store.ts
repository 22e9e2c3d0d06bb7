import type { WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import type { OutboxPack } from '@vuka/service-kit/outbox';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Schema, TransferRow } from '#db/schema.ts';
import type { Insertion } from '#limits/limits.domain.ts';
import { accountNotFound } from '#linked-accounts/linked-account.store.ts';
import { insertTransfersOnce, type NewTransfer } from '#saga/transfer.store.ts';

interface NewWithdrawal {
  transfer: NewTransfer;
  withdrawal: Insertable<Schema['withdrawals']>;
}

/**
 * Inserts a withdrawal with its transfer, unless the user's client transaction id exists already or the count would
 * exceed the allowance. Returns the messages to publish. Throws not_found when the account was deactivated meanwhile.
 */
export function insertWithdrawalOnce(
  db: Db,
  { transfer, withdrawal }: NewWithdrawal,
): Promise<{ insertion: Insertion; pack: OutboxPack }> {
  return db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('linked_accounts')
      .select('id')
      .where('id', '=', withdrawal.linked_account_id)
      .where('is_active', '=', true)
      .forShare()
      .executeTakeFirst();
    if (!account) throw accountNotFound();
    const { insertions, pack } = await insertTransfersOnce(trx, [transfer]);
    const [insertion = 'known'] = insertions;
    if (insertion !== 'new') return { insertion, pack };
    await trx.insertInto('withdrawals').values(withdrawal).execute();
    await trx
      .updateTable('payment_recipients')
      .set({ last_used: transfer.row.created_at })
      .where('linked_account_id', '=', withdrawal.linked_account_id)
      .execute();
    return { insertion, pack };
  });
}

/** The bank account of a transfer, masked except for its last four digits; null for any other destination. */
export async function findBankAccountOf(db: Db, transfer: TransferRow): Promise<string | null> {
  if (transfer.transaction_type !== 'withdrawal' || transfer.recipient_phone !== null) return null;
  const withdrawal = await db
    .selectFrom('withdrawals')
    .select('recipient_account')
    .where('transaction_id', '=', transfer.id)
    .executeTakeFirst();
  return withdrawal ? `•••• ${withdrawal.recipient_account.slice(-4)}` : null;
}

export type WithdrawalRow = Awaited<ReturnType<typeof findWithdrawals>>[number];

export interface WithdrawalSearch {
  limit: number;
  /** The id of the last withdrawal on the previous page. */
  cursor?: string | undefined;
  userId?: string | undefined;
  id?: string | undefined;
  status?: WithdrawalStatus | undefined;
  isOldestFirst?: boolean;
}

/** Withdrawals with their transfer and account; one more than the limit if there are more. */
export function findWithdrawals(db: Db, search: WithdrawalSearch) {
  const { limit, cursor, userId, id, status, isOldestFirst = false } = search;
  return db
    .selectFrom('withdrawals as withdrawal')
    .innerJoin('transactions as transfer', 'transfer.id', 'withdrawal.transaction_id')
    .innerJoin('linked_accounts as account', 'account.id', 'withdrawal.linked_account_id')
    .leftJoin('bank_accounts as bank', 'bank.linked_account_id', 'account.id')
    .selectAll('withdrawal')
    .select([
      'transfer.fee',
      'transfer.step',
      'transfer.waiting_reason',
      'transfer.transaction_type',
      'transfer.metadata',
    ])
    .select(['transfer.error_code', 'transfer.error_message', 'transfer.failure'])
    .select(['account.account_type', 'account.created_at as linked_at'])
    .select(['bank.bank_name', 'bank.branch_code', 'bank.swift_code'])
    .$if(userId !== undefined, (query) => query.where('withdrawal.user_id', '=', userId ?? ''))
    .$if(id !== undefined, (query) => query.where('withdrawal.transaction_id', '=', id ?? ''))
    .$if(status !== undefined, (query) => query.where('withdrawal.status', '=', status ?? 'pending'))
    .$if(cursor !== undefined, (query) =>
      query.where('withdrawal.transaction_id', isOldestFirst ? '>' : '<', cursor ?? ''),
    )
    .orderBy('withdrawal.transaction_id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute();
}

/**
 * The withdrawal that a bank's reference has completed, in this currency; other capitals are the same reference. A literal
 * 'bank', because a generic plan does not use a partial index for a parameter.
 */
export function findPaidUnder(db: Db, { currency, reference }: { currency: string; reference: string }) {
  return db
    .selectFrom('withdrawals')
    .select('transaction_id')
    .where(
      sql<boolean>`provider_id = 'bank' and currency = ${currency} and upper(provider_reference_id) = upper(${reference})`,
    )
    .limit(1)
    .executeTakeFirst();
}

/** The index that lets no two withdrawals be completed by one reference of a bank. */
export const BANK_REFERENCES = 'withdrawals_bank_references';

/** Whether an administrator has taken it over from another, who may have paid it. */
export async function wasTakenOver(db: Db, id: string): Promise<boolean> {
  const taken = await db
    .selectFrom('withdrawals')
    .select('transaction_id')
    .where('transaction_id', '=', id)
    .where('was_taken_over', '=', true)
    .executeTakeFirst();
  return taken !== undefined;
}

/** Whether its payer began so recently, by the database's clock, that the bank statement may not show a payment of theirs. */
export const isPayerRecent = (bankLagMs: number) =>
  sql<boolean>`coalesce(paying_since > books_now() - make_interval(secs => ${bankLagMs / 1_000}), false)`;

interface ApproverFacts {
  paidBefore: number;
  /** In minor units. */
  askedInDay: bigint;
  isPayerRecent: boolean;
}

/** Facts that help an approver judge whether a withdrawal is unusual, and who may pay it, by its id. */
export async function findApproverFacts(
  db: Db,
  ids: readonly string[],
  bankLagMs: number,
): Promise<Map<string, ApproverFacts>> {
  const { rows } = await sql<ApproverFacts & { id: string }>`
    select asked.transaction_id as id,
      (select count(*)::int from withdrawals paid
        where paid.linked_account_id = asked.linked_account_id and paid.status = 'completed'
          and paid.transaction_id < asked.transaction_id) as "paidBefore",
      (select coalesce(sum(other.amount), 0)::bigint from withdrawals other
        where other.user_id = asked.user_id and other.currency = asked.currency and other.status <> 'failed'
          and other.transaction_id < asked.transaction_id
          and other.created_at > asked.created_at - interval '1 day') as "askedInDay",
      ${isPayerRecent(bankLagMs)} as "isPayerRecent"
    from withdrawals asked where asked.transaction_id = any(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
