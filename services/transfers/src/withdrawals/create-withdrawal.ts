import { createHash } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import type { WithdrawalPrice } from '@vuka/contracts/http/withdrawals';
import type { WithdrawalOrder } from '@vuka/contracts/internal/withdrawals';
import { formatMoney, parseMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import type { OutboxPack } from '@vuka/service-kit/outbox';

import type { Db, TransferRow } from '#db/schema.ts';
import { type CheckLimitsDeps, insertWithinLimits } from '#limits/check-limits.ts';
import { getLinkedAccount } from '#linked-accounts/linked-account.store.ts';
import { type AcceptDeps, acceptOnce, countedOf, messagesOf, newTransferRow } from '#orders/accept-order.ts';
import type { PricingCopy } from '#pricing/pricing-copy.ts';
import { feeFor } from '#quotes/fee.domain.ts';
import { planPayout } from '#saga/planned-payout.ts';
import { needsApproval, type WithdrawalFacts } from '#saga/withdrawal.domain.ts';
import { insertWithdrawalOnce } from './withdrawal.store.ts';
import { findApprovalLimits } from './withdrawal-limits.ts';

export interface PriceWithdrawalDeps {
  db: Db;
  pricing: PricingCopy;
}

export interface CreateWithdrawalDeps extends AcceptDeps, PriceWithdrawalDeps, CheckLimitsDeps {
  publishCommitted: (pack: OutboxPack) => void;
}

/**
 * Accepts a withdrawal once per (user, clientTransactionId). A withdrawal is a transfer of its own type, with the same
 * amount and currency on both sides, and runs through the same saga. Throws not_found for an account that is not the
 * user's, fee_changed (with the new price), insufficient_funds, limit_exceeded, idempotency_conflict, validation_failed.
 */
export async function createWithdrawal(
  deps: CreateWithdrawalDeps,
  order: WithdrawalOrder,
  caller: Caller,
): Promise<{ created: boolean; transfer: TransferRow }> {
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  const hash = hashOrder(order);
  const key = { userId: caller.userId, clientTransactionId: order.clientTransactionId };
  return acceptOnce(deps, key, {
    hash,
    async write() {
      const account = await getLinkedAccount(deps.db, caller.userId, order.linkedAccountId);
      checkCurrency(order, account);
      const price = await priceWithdrawal(deps, account, parseMoney(order.amount));
      if (order.fee !== undefined && parseMoney(order.fee) !== parseMoney(price.fee)) throw feeChanged(price);
      const row = toRow(order, { account, price, caller, hash, at: deps.now() });
      const transfer = { row, note: [{ code: 'withdrawal_received' as const }], messages: messagesOf(row, caller) };
      const withdrawal = toWithdrawalRow(row, account, caller);
      const { isNew } = await insertWithinLimits(deps, countedOf(row), caller, async (allowance) => {
        const order = { transfer: { ...transfer, allowance }, withdrawal };
        const { insertion, pack } = await insertWithdrawalOnce(deps.db, order);
        deps.publishCommitted(pack);
        return insertion;
      });
      return { row, isNew };
    },
  });
}

/** The current price of a withdrawal, and whether it needs approval. */
export async function priceWithdrawal(
  deps: PriceWithdrawalDeps,
  account: LinkedAccount,
  amount: bigint,
): Promise<WithdrawalPrice> {
  const { currency, accountType } = account;
  const [fees, limits] = await Promise.all([deps.pricing.fees(), findApprovalLimits(deps.db)]);
  const fee = feeFor(fees, { type: 'withdrawal', currency, amount });
  return {
    amount: formatMoney(amount),
    currency,
    fee: formatMoney(fee),
    total: formatMoney(amount + fee),
    requiresApproval: needsApproval(accountType, amount, limits[currency]),
  };
}

function checkCurrency({ currency }: WithdrawalOrder, account: LinkedAccount): void {
  if (currency === account.currency) return;
  throw new AppError('account_currency_mismatch', { field: 'currency', params: { currency: account.currency } });
}

function feeChanged(price: WithdrawalPrice): AppError {
  return new AppError('withdrawal_fee_changed', { details: { price } });
}

/** Hashes the fields that identify the order; never the PIN or the fee. */
function hashOrder(order: WithdrawalOrder): Buffer {
  const fields = ['withdrawal', parseMoney(order.amount), order.currency, order.linkedAccountId];
  return createHash('sha256').update(fields.join('|')).digest();
}

interface Priced {
  account: LinkedAccount;
  price: WithdrawalPrice;
  caller: Caller;
  hash: Buffer;
  at: Date;
}

function toRow(order: WithdrawalOrder, { account, price, caller, hash, at }: Priced): TransferRow {
  const amount = parseMoney(price.amount);
  const facts: WithdrawalFacts = { accountType: account.accountType, requiresApproval: price.requiresApproval };
  return {
    ...newTransferRow(caller, at),
    transaction_type: 'withdrawal',
    recipient_name: account.bank ? `${account.bank.bankName}, ${account.accountName}` : account.accountName,
    recipient_phone: account.mobileMoney?.phoneNumber ?? null,
    client_transaction_id: order.clientTransactionId,
    request_hash: hash,
    direction: null,
    source_amount: amount,
    source_currency: price.currency,
    target_amount: amount,
    target_currency: price.currency,
    fee: parseMoney(price.fee),
    mid_amount: amount,
    exchange_rate: null,
    metadata: {
      ...facts,
      ...planPayout({ user_id: caller.userId, client_transaction_id: order.clientTransactionId }),
    },
  };
}

function toWithdrawalRow(row: TransferRow, account: LinkedAccount, caller: Caller) {
  const { requiresApproval } = row.metadata as unknown as WithdrawalFacts;
  return {
    transaction_id: row.id,
    user_id: row.user_id,
    owner_name: caller.name,
    merchant_id: caller.merchantId,
    linked_account_id: account.id,
    description: account.bank ? 'Withdrawal to a bank account' : 'Withdrawal to mobile money',
    status: requiresApproval ? ('awaiting_approval' as const) : ('pending' as const),
    amount: row.source_amount,
    currency: account.currency,
    recipient_account: account.mobileMoney?.phoneNumber ?? account.bank?.accountNumber ?? '',
    recipient_name: account.accountName,
    requires_approval: requiresApproval,
    created_at: row.created_at,
    updated_at: row.created_at,
  };
}
