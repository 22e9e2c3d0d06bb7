import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import { type Caller, idOfAdmin } from '@vuka/access/caller';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import { Ok } from '@vuka/contracts/http/common';
import { DepositDone } from '@vuka/contracts/internal/transfers';
import { formatMoney, parseMoney } from '@vuka/money';
import type { Currency } from '@vuka/money/corridors';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Logger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { sql } from 'kysely';
import type { Db, DepositRow, Transaction } from '#db/schema.ts';
import { finishOpen, LEFT_TO_REQUEST_MS } from '#finish-open.ts';
import { needsApproval } from './credit-limit.domain.ts';
import { findCreditLimit, sumMovedAlone } from './large-credit.store.ts';
import { makeReference } from './reference.ts';

export interface DepositDeps {
  db: Db;
  transfers: ServiceClient;
  logger: Logger;
  now: () => Date;
  kickRelay: () => void;
}

export interface DepositRequest {
  /** The client's idempotency key; without one every request is a new deposit. */
  key: string | undefined;
  kind: 'deposit' | 'credit';
  caller: Caller;
  beneficiary: { userId: string; id: string; name: string };
  /** A decimal string. */
  amount: string;
  currency: Currency;
  reason: string;
}

/** The actor of an action that no person takes, such as ending a deposit to a closed account. */
const NOBODY = { userId: '00000000-0000-0000-0000-000000000000', adminId: null, name: 'Vuka', requestId: 'register' };

/** The approvals with which money has moved, or will move. */
export const MOVES = ['not_needed', 'approved'] as const;

/**
 * Enters a deposit in the register, then has the money moved under the register's own key, so that a repeat is one
 * movement. Above an administrator's daily limit it waits for approval; the only administrator confirms it with the
 * PIN instead. Throws idempotency_conflict, pin_required, and unavailable: with nothing entered if the ledger was
 * unavailable at the start, or with a message that says so if it failed in the middle; the deposit then stays in the
 * register and is completed as soon as possible.
 */
export async function registerDeposit(deps: DepositDeps, request: DepositRequest): Promise<DepositRow> {
  const ledger = await ledgerMustBeThere(deps).then(
    () => undefined,
    (failure: unknown) => ({ failure }),
  );
  const { deposit, isNew } = await deps.db.transaction().execute(async (trx) => {
    const entry = toEntry(request, deps.now());
    await lockAdministrator(trx, entry.admin_user_id);
    const known = await findSame(trx, entry);
    if (known) return { deposit: known, isNew: false };
    const isTooMuch = needsApproval(entry.amount, {
      moved: await sumMovedAlone(trx, entry),
      limit: await findCreditLimit(trx, entry.currency),
    });
    const { caller } = request;
    if (isTooMuch && !caller.isOnlyAdmin) entry.approval = 'awaiting_approval';
    else if (isTooMuch && !caller.pinVerified) throw new AppError('deposit_above_daily_limit');
    if (ledger && entry.approval === 'not_needed') throw ledger.failure;
    await enter(trx, entry, { caller, isAlone: isTooMuch });
    return { deposit: entry, isNew: true };
  });
  if (isNew) deps.kickRelay();
  return finishDeposit(deps, deposit);
}

function toEntry(request: DepositRequest, now: Date): DepositRow {
  const { caller, beneficiary } = request;
  return {
    id: uuidv7(now.getTime()),
    admin_id: idOfAdmin(caller),
    admin_user_id: caller.userId,
    idempotency_key: request.key ?? uuidv7(now.getTime()),
    kind: request.kind,
    beneficiary_user_id: beneficiary.userId,
    beneficiary_id: beneficiary.id,
    amount: formatMoney(parseMoney(request.amount)),
    currency: request.currency,
    reason: request.reason,
    reference: makeReference(request.kind === 'deposit' ? 'DEP' : 'CRD', now),
    transaction_id: null,
    approval: 'not_needed',
    admin_name: caller.name,
    beneficiary_name: beneficiary.name,
    checker_user_id: null,
    checker_id: null,
    checker_name: null,
    decided_at: null,
    refusal_reason: null,
    ended_at: null,
    created_at: now,
  };
}

/** One movement of an administrator at a time: two concurrent ones would not see each other in the daily sum. */
async function lockAdministrator(trx: Transaction, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`admin_deposits ${userId}`}, 0))`.execute(trx);
}

/** Throws unavailable if no money could be moved. */
export async function ledgerMustBeThere({ transfers }: Pick<DepositDeps, 'transfers'>): Promise<void> {
  await transfers.get('/internal/deposits/possible', Ok);
}

/**
 * Has the money moved, unless it was moved already or may not be. Throws unavailable if the ledger did not answer, and
 * not_found if the account was closed first.
 */
export async function finishDeposit(deps: DepositDeps, deposit: DepositRow): Promise<DepositRow> {
  if (deposit.ended_at) throw new AppError('credit_to_closed_account');
  const mayMove = MOVES.some((approval) => approval === deposit.approval);
  return mayMove && deposit.transaction_id === null ? moveMoney(deps, deposit) : deposit;
}

/** Writes the deposit and its audit record. `isAlone`: it would take two, but there is only one administrator. */
async function enter(trx: Transaction, entry: DepositRow, by: { caller: Caller; isAlone: boolean }): Promise<void> {
  await trx.insertInto('admin_deposits').values(entry).execute();
  const { amount, currency, reason, reference, beneficiary_id: beneficiary } = entry;
  const action: AdminAction = {
    source: '/vuka/admin',
    caller: by.caller,
    action: actionOf(entry, by.isAlone),
    subject: { kind: 'deposit' as const, id: entry.id, label: reference },
    reason,
    after: { amount, currency, beneficiary },
  };
  await recordAction(trx, action, entry.created_at);
}

function actionOf({ kind, approval }: DepositRow, isAlone: boolean): AuditAction {
  if (approval === 'awaiting_approval') return `${kind}.requested`;
  const done = kind === 'deposit' ? 'deposit.made' : 'merchant.credited';
  return isAlone ? `${done}-alone` : done;
}

async function findSame(trx: Transaction, entry: DepositRow): Promise<DepositRow | undefined> {
  const known = await trx
    .selectFrom('admin_deposits')
    .selectAll()
    .where('admin_user_id', '=', entry.admin_user_id)
    .where('idempotency_key', '=', entry.idempotency_key)
    .executeTakeFirst();
  const fields = ['kind', 'beneficiary_user_id', 'amount', 'currency', 'reason'] as const;
  if (known && fields.some((field) => known[field] !== entry[field])) {
    throw new AppError('deposit_key_reused');
  }
  return known;
}

async function moveMoney(deps: DepositDeps, deposit: DepositRow): Promise<DepositRow> {
  const order = {
    key: deposit.id,
    userId: deposit.beneficiary_user_id,
    currency: deposit.currency,
    amount: deposit.amount,
    adminId: deposit.admin_user_id,
    description: deposit.reason,
  };
  const { transactionId } = await askForMovement(deps, order).catch(async (error: unknown) => {
    if (isOfClosedAccount(error)) await endDeposit(deps, deposit);
    throw error;
  });
  await deps.db
    .updateTable('admin_deposits')
    .set({ transaction_id: transactionId })
    .where('id', '=', deposit.id)
    .execute();
  return { ...deposit, transaction_id: transactionId };
}

const isOfClosedAccount = (error: unknown) => error instanceof AppError && error.reason === 'credit_to_closed_account';

/** Closes an entry that can never be carried out, once. */
async function endDeposit({ db, now, kickRelay }: DepositDeps, { id, kind, reference }: DepositRow): Promise<void> {
  const at = now();
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('admin_deposits')
      .set({ ended_at: at })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning(['amount', 'currency', 'beneficiary_id as beneficiary'])
      .executeTakeFirst();
    if (!ended) return;
    const subject = { kind: 'deposit' as const, id, label: reference };
    const action = { source: '/vuka/admin', caller: NOBODY, action: `${kind}.ended` as const, subject, after: ended };
    await recordAction(trx, { ...action, reason: 'The account was closed first' }, at);
  });
  kickRelay();
}

async function askForMovement(deps: DepositDeps, order: object) {
  try {
    return await deps.transfers.post('/internal/deposits', order, DepositDone, { idempotent: true });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    throw new AppError('deposit_recorded', { cause: error, retryAfterSeconds: 10 });
  }
}

/**
 * Completes deposits, and approved credits, whose movement was never confirmed, and ends those to accounts that were
 * closed meanwhile. One that cannot be completed does not keep back the others. Throws the first failure.
 */
export function finishOpenDeposits(deps: DepositDeps): Promise<void> {
  return finishOpen(
    (after, limit) => readOpen(deps, after, limit),
    async (deposit) => {
      try {
        const finished = await moveMoney(deps, deposit);
        deps.logger.info({ reference: finished.reference }, 'an open deposit is completed');
      } catch (error) {
        if (!isOfClosedAccount(error)) throw error;
        deps.logger.info({ reference: deposit.reference }, 'an open deposit has ended');
      }
    },
  );
}

/** Deposits, and approved credits, without a movement. */
function readOpen({ db, now }: DepositDeps, after: string, limit: number): Promise<DepositRow[]> {
  return db
    .selectFrom('admin_deposits')
    .selectAll()
    .where('transaction_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('approval', 'in', MOVES)
    .where(sql`coalesce(decided_at, created_at)`, '<', new Date(now().getTime() - LEFT_TO_REQUEST_MS))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
