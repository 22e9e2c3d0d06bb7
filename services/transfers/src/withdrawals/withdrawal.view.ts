import { type Caller, idOfAdmin } from '@vuka/access/caller';
import type { AdminWithdrawal, Withdrawal } from '@vuka/contracts/http/withdrawals';
import { formatMoney } from '@vuka/money';
import type { Db } from '#db/schema.ts';
import type { BooksEpoch } from '#payouts/books-epoch.ts';
import { waitsForPerson } from '#saga/transfer.domain.ts';
import { statusCodesOf } from '#saga/transfer-state.ts';
import { hasOtherPayer } from './decide-withdrawal.ts';
import { mayBePaidByHand } from './paid-by-hand.domain.ts';
import { findApproverFacts, type WithdrawalRow } from './withdrawal.store.ts';

export function toWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    id: row.transaction_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status: row.status,
    statusReason: row.waiting_reason ?? row.error_message,
    statusReasonCodes: statusCodesOf(row),
    amount: formatMoney(row.amount),
    currency: row.currency,
    fee: formatMoney(row.fee),
    accountType: row.account_type,
    recipientAccount: row.recipient_account,
    recipientName: row.recipient_name,
    bankName: row.bank_name,
    requiresApproval: row.requires_approval,
    providerReference: row.provider_reference_id,
  };
}

export async function toAdminWithdrawals(
  db: Db,
  rows: readonly WithdrawalRow[],
  { admin, epoch, bankLagMs }: { admin: Caller; epoch: BooksEpoch; bankLagMs: number },
): Promise<AdminWithdrawal[]> {
  const ids = rows.map((row) => row.transaction_id);
  const facts = await findApproverFacts(db, ids, bankLagMs);
  return rows.map((row) => ({
    ...toWithdrawal(row),
    merchantName: row.owner_name,
    merchantId: row.merchant_id,
    merchantUserId: row.merchant_id === null ? null : row.user_id,
    branchCode: row.branch_code,
    swiftCode: row.swift_code,
    accountLinkedAt: row.linked_at.toISOString(),
    paidBefore: facts.get(row.transaction_id)?.paidBefore ?? 0,
    askedInDay: formatMoney(facts.get(row.transaction_id)?.askedInDay ?? 0n),
    isToBePaidByHand: row.step === 'paying_by_hand',
    mayBePaid: waitsForPerson(row) && (mayBePaidByHand(row, epoch) || row.was_taken_over || hasOtherPayer(row, admin)),
    canBeTaken: !(hasOtherPayer(row, admin) && facts.get(row.transaction_id)?.isPayerRecent),
    isOwn: row.user_id === admin.userId,
    payingName: row.paying_name,
    payingSince: row.paying_since?.toISOString() ?? null,
    isPaidByCaller: row.paying_by === idOfAdmin(admin),
    approvedBy: row.approved_by,
    approvedAt: row.approved_at?.toISOString() ?? null,
    closedBy: row.closed_by,
    closedAt: row.closed_at?.toISOString() ?? null,
  }));
}
