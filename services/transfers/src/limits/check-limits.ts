import type { Caller } from '@vuka/access/caller';
import type { Tier } from '@vuka/contracts/http/tiers';
import { formatMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { AppError } from '@vuka/service-kit/app-error';
import { violatedCheck } from '@vuka/service-kit/database';
import type { WalletClient } from '#clients/wallet.client.ts';
import type { Db } from '#db/schema.ts';
import { findUsage, type LimitCopy } from './limit.store.ts';
import { type Allowance, allowanceAt, type Insertion, type Limits, leftOf } from './limits.domain.ts';

export interface CheckLimitsDeps {
  db: Db;
  wallet: WalletClient;
  limits: LimitCopy;
}

/** An order as limits see it: amounts in minor units; fees do not count. */
export interface CountedOrder {
  amount: bigint;
  fee: bigint;
  currency: WalletCurrency;
  at: Date;
}

/**
 * Inserts an order within the limits of its user. `insert` counts it against the allowance in the statement that accepts
 * it. Throws limit_exceeded, or insufficient_funds where the money would not suffice either.
 */
export async function insertWithinLimits(
  deps: CheckLimitsDeps,
  order: CountedOrder,
  caller: Caller,
  insert: (allowance: Allowance) => Promise<Insertion>,
): Promise<{ isNew: boolean }> {
  const table = await deps.limits.current();
  const limits = table(caller.tier, order.currency);
  const allowance = allowanceAt(limits, 'out', order.at);
  const insertion = order.amount > limits.perTransaction ? 'over_transaction' : await tryInsert(insert, allowance);
  if (insertion === 'new' || insertion === 'known') return { isNew: insertion === 'new' };
  if (await lacksFunds(deps, order, caller)) throw new AppError('insufficient_funds');
  throw await refusal(deps, order, { caller, limits, allowance, insertion });
}

interface Payment {
  userId: string;
  tier: Tier;
  currency: WalletCurrency;
  /** Minor units. */
  amount: bigint;
  at: Date;
}

/** The allowance against which a payment to a merchant is counted; undefined if it does not fit. */
export async function receivable(
  { db, limits }: Pick<CheckLimitsDeps, 'db' | 'limits'>,
  { userId, tier, currency, amount, at }: Payment,
): Promise<Allowance | undefined> {
  const table = await limits.current();
  const allowance = allowanceAt(table(tier, currency), 'in', at);
  const left = leftOf(allowance, await findUsage(db, { userId, currency, side: 'in' }));
  return amount <= left.day && amount <= left.month ? allowance : undefined;
}

/** A concurrent order may have used up the allowance: a constraint of `limit_usage` then refuses this one. */
async function tryInsert(insert: (allowance: Allowance) => Promise<Insertion>, allowance: Allowance) {
  try {
    return await insert(allowance);
  } catch (error) {
    const constraint = violatedCheck(error);
    if (constraint === 'limit_usage_day') return 'over_day';
    if (constraint === 'limit_usage_month') return 'over_month';
    throw error;
  }
}

/** False if the wallet cannot tell. */
async function lacksFunds({ wallet }: CheckLimitsDeps, { amount, fee, currency }: CountedOrder, { userId }: Caller) {
  try {
    return (await wallet.available(userId, currency)) < amount + fee;
  } catch {
    return false;
  }
}

interface Refused {
  caller: Caller;
  limits: Limits;
  allowance: Allowance;
  insertion: 'over_transaction' | 'over_day' | 'over_month';
}

async function refusal({ db }: CheckLimitsDeps, { currency }: CountedOrder, refused: Refused): Promise<AppError> {
  const { caller, limits, allowance, insertion } = refused;
  if (insertion === 'over_transaction') {
    return new AppError('limit_per_transaction', { params: { limit: formatMoney(limits.perTransaction), currency } });
  }
  const left = leftOf(allowance, await findUsage(db, { userId: caller.userId, currency, side: 'out' }));
  return insertion === 'over_day'
    ? new AppError('limit_per_day', { params: { left: formatMoney(left.day), currency } })
    : new AppError('limit_per_month', { params: { left: formatMoney(left.month), currency } });
}
