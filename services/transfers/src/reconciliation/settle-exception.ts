import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '@vuka/access/audit-trail';
import { type Caller, idOfAdmin } from '@vuka/access/caller';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import type { ExceptionClaim, ExceptionResolution, PayoutException } from '@vuka/contracts/http/reconciliation';
import { AppError } from '@vuka/service-kit/app-error';
import type { OutboxPack } from '@vuka/service-kit/outbox';
import type { Transaction } from 'kysely';
import type { Db, PayoutExceptionRow, Schema, TransferRow } from '#db/schema.ts';
import { executeCommand } from '#saga/commands.ts';
import { explainFailure } from '#saga/explain-failure.ts';
import { transitionOf } from '#saga/step.ts';
import { commitTransitions } from '#saga/transition.store.ts';
import { isOwnedBy, ownerOf } from './exception-owner.ts';
import { holdsTransfers, isHeldBy, toException } from './reconciliation.store.ts';

export interface SettleDeps {
  db: Db;
  now: () => Date;
  kickRelay: () => void;
  publishCommitted: (pack: OutboxPack) => void;
}

/**
 * Makes the caller responsible for an open exception, instead of the owner whom they were shown; the audit trail names
 * both. Throws not_found, already_decided when it is resolved or another administrator has taken it meanwhile: both would
 * claim the same money from the provider; forbidden for the administrator's own transfer.
 */
export function takeException(
  deps: SettleDeps,
  { id, takenFrom, caller }: ExceptionClaim & { id: string; caller: Caller },
): Promise<PayoutException> {
  return change(deps, {
    id,
    caller,
    async decide(_trx, exception, transfer) {
      if (transfer?.user_id === caller.userId) throw new AppError('exception_of_own_transfer');
      if (ownerOf(exception)?.id !== takenFrom) mustNotBeOfOther(exception, caller);
      return { action: 'exception.taken', set: { ...ownedBy(caller), note: null } };
    },
  });
}

const ownedBy = (caller: Caller) => ({ owner: caller.name, owner_id: idOfAdmin(caller) });

function mustNotBeOfOther(exception: PayoutExceptionRow, caller: Caller): void {
  const owner = ownerOf(exception);
  if (owner && !isOwnedBy(exception, caller)) throw new AppError('exception_taken', { params: { name: owner.name } });
}

/**
 * Resolves an exception with a note. It moves no money unless a transfer waits for it: that transfer continues with the
 * outcome that the administrator enters. A repeat by the same administrator is the same decision. Throws not_found,
 * already_decided when it is resolved, another administrator has taken it, or the transfer has ended, changed_meanwhile
 * when the provider has reported something other than what the administrator saw, validation_failed when the outcome is
 * missing, forbidden for the administrator's own transfer.
 */
export function resolveException(
  deps: SettleDeps,
  { id, note, outcome, seen, caller }: ExceptionResolution & { id: string; caller: Caller },
): Promise<PayoutException> {
  return change(deps, {
    id,
    caller,
    reason: note,
    async isRepeat(trx, resolved) {
      const isSame = isOwnedBy(resolved, caller) && resolved.note === note;
      return isSame && (!outcome || (await hasEndedAs(trx, resolved.money_transfer_id, outcome)));
    },
    async decide(trx, exception, transfer) {
      if (transfer?.user_id === caller.userId) throw new AppError('exception_of_own_transfer');
      mustNotBeOfOther(exception, caller);
      mustBeAsSeen(exception, seen);
      const at = deps.now();
      const set = { ...ownedBy(caller), note, state: 'resolved' as const, resolved_at: at };
      const isHeld = isHeldBy(exception, transfer);
      if (!outcome) {
        if (!isHeld) return { action: 'exception.resolved', set };
        throw new AppError('exception_outcome_missing');
      }
      if (!isHeld || !transfer) throw new AppError('exception_transfer_ended');
      await mustBeNewest(trx, exception);
      const pack = await endPayout(trx, { exception, transfer, outcome, caller, at });
      return { action: outcome === 'paid' ? 'exception.paid' : 'exception.not-paid', set, pack };
    },
  });
}

function mustBeAsSeen({ details }: PayoutExceptionRow, seen: ExceptionResolution['seen']): void {
  if (seen && !isDeepStrictEqual(seen, details)) throw new AppError('exception_outdated');
}

/** Of several exceptions that hold a transfer, only the one with the provider's latest report is decided. */
async function mustBeNewest(trx: Transaction<Schema>, exception: PayoutExceptionRow): Promise<void> {
  const others = await trx
    .selectFrom('payout_exceptions')
    .select('kind')
    .where('money_transfer_id', '=', exception.money_transfer_id)
    .where('state', '=', 'open')
    .where('last_seen_at', '>', exception.last_seen_at)
    .execute();
  if (others.some(({ kind }) => holdsTransfers(kind))) throw new AppError('exception_outdated');
}

interface End {
  exception: PayoutExceptionRow;
  transfer: TransferRow;
  outcome: 'paid' | 'not_paid';
  caller: Caller;
  at: Date;
}

/**
 * Ends the payout with the administrator's outcome in place of the provider's. Returns the messages to publish after the
 * commit, by which the worker carries out what follows. Throws TransferChangedError.
 */
async function endPayout(trx: Transaction<Schema>, { exception, transfer, outcome, caller, at }: End) {
  const failureCode = outcome === 'paid' ? null : 'not_paid';
  const event = failureCode
    ? {
        type: 'payout_failed' as const,
        code: failureCode,
        reason: explainFailure({ code: failureCode, class: 'unspecified' }),
      }
    : { type: 'payout_completed' as const };
  const state = failureCode ? ('failed' as const) : ('completed' as const);
  const transition = transitionOf(transfer, event, at, {
    payout: { id: exception.money_transfer_id, state, reference: null, failureCode, submissions: 0 },
    resumedAt: at,
    commands: [executeCommand(transfer.id, caller.requestId, at)],
  });
  const { done, pack } = await commitTransitions(trx, [transition]);
  if (!done[0]) throw new TransferChangedError();
  return pack;
}

async function hasEndedAs(trx: Transaction<Schema>, payoutId: string, outcome: 'paid' | 'not_paid'): Promise<boolean> {
  const state = outcome === 'paid' ? ('completed' as const) : ('failed' as const);
  const payout = await trx
    .selectFrom('money_transfers')
    .select('id')
    .where('id', '=', payoutId)
    .where('state', '=', state)
    .executeTakeFirst();
  return payout !== undefined;
}

interface Decided {
  action: AuditAction;
  set: Partial<Pick<PayoutExceptionRow, 'owner' | 'owner_id' | 'note' | 'state' | 'resolved_at'>>;
  /** Messages that the decision has committed. */
  pack?: OutboxPack;
}

interface Change {
  id: string;
  caller: Caller;
  reason?: string;
  /** Whether the caller resolved the exception so before. */
  isRepeat?(trx: Transaction<Schema>, resolved: PayoutExceptionRow): Promise<boolean>;
  decide(trx: Transaction<Schema>, exception: PayoutExceptionRow, transfer: TransferRow | undefined): Promise<Decided>;
}

const MAX_TRIES = 10;

/** The transfer has changed since it was read; nothing was committed. */
class TransferChangedError extends Error {}

async function change(deps: SettleDeps, asked: Change): Promise<PayoutException> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    try {
      const { after, pack } = await changeOnce(deps, asked);
      if (pack) deps.publishCommitted(pack);
      deps.kickRelay();
      return after;
    } catch (error) {
      if (!(error instanceof TransferChangedError)) throw error;
    }
  }
  throw new Error(`the transfer of the exception ${asked.id} keeps changing`);
}

function changeOnce(deps: SettleDeps, { id, caller, reason, isRepeat, decide }: Change) {
  return deps.db.transaction().execute(async (trx) => {
    const transfer = await readTransferOf(trx, id);
    const before = await lock(trx, id);
    if (before.state !== 'open') {
      if (await isRepeat?.(trx, before)) return { after: toException(before, transfer, caller) };
      throw new AppError('exception_resolved');
    }
    const { action, set, pack } = await decide(trx, before, transfer);
    const row = await trx
      .updateTable('payout_exceptions')
      .set(set)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAction(
      trx,
      {
        source: '/vuka/transfers',
        caller,
        action,
        subject: { kind: 'exception', id, label: row.kind },
        ...(reason === undefined ? {} : { reason }),
        before: { state: before.state, owner: ownerOf(before)?.name ?? null },
        after: { state: row.state, owner: row.owner, transactionId: row.transaction_id },
      },
      deps.now(),
    );
    return { after: toException(row, transfer, caller), pack };
  });
}

async function lock(trx: Transaction<Schema>, id: string): Promise<PayoutExceptionRow> {
  const row = await trx.selectFrom('payout_exceptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw new AppError('exception_not_found');
  return row;
}

/**
 * The transfer of an exception, if it has one, read without a lock and before any: the feed orders events by transaction
 * id, which Postgres assigns at the first lock or write. A step that another process takes of this transfer after that
 * would stand after the decision's in the feed, but changes its version, so that the decision begins again.
 */
async function readTransferOf(trx: Transaction<Schema>, exceptionId: string): Promise<TransferRow | undefined> {
  return trx
    .selectFrom('transactions')
    .innerJoin('payout_exceptions', 'payout_exceptions.transaction_id', 'transactions.id')
    .selectAll('transactions')
    .where('payout_exceptions.id', '=', exceptionId)
    .executeTakeFirst();
}
