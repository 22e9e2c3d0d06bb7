import { randomInt } from 'node:crypto';
import { Ok } from '@vuka/contracts/http/common';
import { DepositDone } from '@vuka/contracts/internal/transfers';
import { formatMoney, parseMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import { recordAction } from '@vuka/service-kit/audit';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Logger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { Caller, InternalTokens } from '@vuka/service-kit/tokens';
import { sql } from 'kysely';
import type { Db, DepositRow } from '#db/schema.ts';

export interface DepositDeps {
  db: Db;
  transfers: ServiceClient;
  tokens: InternalTokens;
  logger: Logger;
  now: () => Date;
  kickRelay: () => void;
}

export interface DepositRequest {
  /** The client's name for the deposit; without one every request is a new deposit. */
  key: string | undefined;
  kind: 'deposit' | 'credit';
  caller: Caller;
  beneficiary: { userId: string; id: string; name: string };
  /** A decimal string. */
  amount: string;
  currency: 'KES' | 'TZS' | 'USD';
  reason: string;
  /** Whether another administrator has to agree before money moves. */
  needsApproval?: boolean;
}

/** Crockford's base 32: no letters that read like digits. */
const REFERENCE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Enters a deposit in the register, then has the money moved under the register's own key, so that a repeat is one
 * movement. One that somebody has to agree to is entered alone. Throws idempotency_conflict, unavailable while the ledger
 * is away, with nothing entered, and unavailable that says so when it went away in the middle: the deposit then stands
 * in the register and is finished as soon as it can be.
 */
export async function registerDeposit(deps: DepositDeps, request: DepositRequest): Promise<DepositRow> {
  const now = deps.now();
  const { caller } = request;
  const entry: DepositRow = {
    id: uuidv7(now.getTime()),
    admin_id: caller.adminId ?? caller.userId,
    admin_user_id: caller.userId,
    idempotency_key: request.key ?? uuidv7(now.getTime()),
    kind: request.kind,
    beneficiary_user_id: request.beneficiary.userId,
    beneficiary_id: request.beneficiary.id,
    amount: formatMoney(parseMoney(request.amount)),
    currency: request.currency,
    reason: request.reason,
    reference: makeReference(request.kind, now),
    transaction_id: null,
    approval: request.needsApproval ? 'awaiting_approval' : 'not_needed',
    admin_name: caller.name,
    beneficiary_name: request.beneficiary.name,
    checker_user_id: null,
    checker_id: null,
    checker_name: null,
    decided_at: null,
    refusal_reason: null,
    created_at: now,
  };
  if (!request.needsApproval) await ledgerMustBeThere(deps);
  const isNew = await insertOnce(deps, entry, caller);
  const deposit = isNew ? entry : await findSame(deps.db, entry);
  if (isNew) deps.kickRelay();
  return finishDeposit(deps, deposit);
}

/** Throws unavailable while no money could be moved. */
export async function ledgerMustBeThere({ transfers }: Pick<DepositDeps, 'transfers'>): Promise<void> {
  await transfers.get('/internal/deposits/possible', Ok);
}

/** Has the money moved, unless it has been or may not be. Throws unavailable when the ledger gave no answer. */
export async function finishDeposit(deps: DepositDeps, deposit: DepositRow): Promise<DepositRow> {
  const mayMove = deposit.approval === 'not_needed' || deposit.approval === 'approved';
  return mayMove && deposit.transaction_id === null ? moveMoney(deps, deposit) : deposit;
}

/** Enters the deposit with the record of who made it; false where the key is known. */
function insertOnce(deps: DepositDeps, entry: DepositRow, caller: Caller): Promise<boolean> {
  const { amount, currency, reason, reference, beneficiary_id: beneficiary } = entry;
  return deps.db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto('admin_deposits')
      .values(entry)
      .onConflict((conflict) => conflict.constraint('admin_deposits_once').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return false;
    const action = {
      source: '/vuka/admin',
      caller,
      action: actionOf(entry),
      subject: { kind: 'deposit' as const, id: entry.id, label: reference },
      reason,
      after: { amount, currency, beneficiary },
    };
    await recordAction(trx, action, deps.now());
    return true;
  });
}

function actionOf({ kind, approval }: DepositRow): string {
  if (kind === 'deposit') return 'deposit.made';
  return approval === 'awaiting_approval' ? 'credit.requested' : 'merchant.credited';
}

async function findSame(db: Db, entry: DepositRow): Promise<DepositRow> {
  const known = await db
    .selectFrom('admin_deposits')
    .selectAll()
    .where('admin_user_id', '=', entry.admin_user_id)
    .where('idempotency_key', '=', entry.idempotency_key)
    .executeTakeFirstOrThrow();
  const fields = ['kind', 'beneficiary_user_id', 'amount', 'currency', 'reason'] as const;
  if (fields.some((field) => known[field] !== entry[field])) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for a different deposit.');
  }
  return known;
}

async function moveMoney(deps: DepositDeps, deposit: DepositRow): Promise<DepositRow> {
  const caller = deps.tokens.signCaller({
    userId: deposit.admin_user_id,
    isAdmin: true,
    adminId: deposit.admin_id,
    merchantId: null,
    name: '',
    phone: '',
    pinVerified: true,
    pinRecent: true,
    isOnlyAdmin: false,
    requestId: deposit.id,
  });
  const order = {
    key: deposit.id,
    userId: deposit.beneficiary_user_id,
    currency: deposit.currency,
    amount: deposit.amount,
    adminId: deposit.admin_user_id,
    description: deposit.reason,
  };
  const { transactionId } = await askForMovement(deps, order, caller);
  await deps.db
    .updateTable('admin_deposits')
    .set({ transaction_id: transactionId })
    .where('id', '=', deposit.id)
    .execute();
  return { ...deposit, transaction_id: transactionId };
}

async function askForMovement(deps: DepositDeps, order: object, caller: string) {
  try {
    return await deps.transfers.post('/internal/deposits', order, DepositDone, { caller, idempotent: true });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    const message = 'It is recorded and will be completed as soon as the ledger answers. Please do not enter it again.';
    throw new AppError('unavailable', message, { cause: error, retryAfterSeconds: 10 });
  }
}

/** Finishes deposits, and credits that were agreed to, whose movement was never confirmed. */
export async function finishOpenDeposits(deps: DepositDeps): Promise<void> {
  const open = await deps.db
    .selectFrom('admin_deposits')
    .selectAll()
    .where('transaction_id', 'is', null)
    .where('approval', 'in', ['not_needed', 'approved'])
    .where(sql`coalesce(decided_at, created_at)`, '<', new Date(deps.now().getTime() - 10_000))
    .orderBy('created_at')
    .limit(50)
    .execute();
  for (const deposit of open) {
    const finished = await moveMoney(deps, deposit);
    deps.logger.info({ reference: finished.reference }, 'an open deposit is completed');
  }
}

function makeReference(kind: DepositRequest['kind'], now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  const random = Array.from({ length: 8 }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('');
  return `${kind === 'deposit' ? 'DEP' : 'CRD'}-${day}-${random}`;
}
