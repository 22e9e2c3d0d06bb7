import { type Caller, idOfAdmin } from '@vuka/access/caller';
import { AWAITING_APPROVAL } from '@vuka/access/four-eyes';
import { ADJUSTED_ACCOUNTS, type AdjustmentRequest } from '@vuka/contracts/http/adjustments';
import { formatMoney, parseMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { AdjustmentRow, Transaction } from '#db/schema.ts';
import { makeReference } from '#register/reference.ts';
import { recordAdjustment } from './adjustment.store.ts';
import { type AdjustmentDeps, bookAdjustment } from './book-adjustment.ts';

/** `key`: the client's idempotency key; without one every request is a new adjustment. */
export type RequestedAdjustment = Omit<AdjustmentRequest, 'pin'> & { key: string | undefined };

/**
 * Enters an adjustment, which waits for another administrator. The only administrator decides at once; that action
 * raises an alert. A repeated key is the same adjustment. Throws idempotency_conflict, and unavailable if the ledger did
 * not answer: the entry is then kept and booked as soon as possible.
 */
export async function requestAdjustment(
  deps: AdjustmentDeps,
  request: RequestedAdjustment,
  caller: Caller,
): Promise<AdjustmentRow> {
  const entry = toEntry(request, caller, deps.now());
  const entered = await deps.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`adjustments ${caller.userId}`}, 0))`.execute(trx);
    const known = await findSame(trx, entry);
    if (known) return known;
    await trx.insertInto('adjustments').values(entry).execute();
    const action = entry.is_alone ? 'adjustment.made-alone' : 'adjustment.requested';
    await recordAdjustment(trx, entry, { caller, action, at: entry.created_at });
    return entry;
  });
  deps.kickRelay();
  return bookAdjustment(deps, entered);
}

function toEntry(request: RequestedAdjustment, caller: Caller, now: Date): AdjustmentRow {
  const { from, to } = accountsOf(request);
  const by = { user: caller.userId, id: idOfAdmin(caller), name: caller.name };
  const isAlone = caller.isOnlyAdmin;
  return {
    id: uuidv7(now.getTime()),
    created_at: now,
    requester_user_id: by.user,
    requester_id: by.id,
    requester_name: by.name,
    idempotency_key: request.key ?? uuidv7(now.getTime()),
    kind: request.kind,
    currency: request.currency,
    amount: formatMoney(parseMoney(request.amount)),
    from_account: from,
    to_account: to,
    reason: request.reason,
    reference: makeReference('ADJ', now),
    status: isAlone ? 'approved' : AWAITING_APPROVAL,
    is_alone: isAlone,
    decider_user_id: isAlone ? by.user : null,
    decider_id: isAlone ? by.id : null,
    decider_name: isAlone ? by.name : null,
    decided_at: isAlone ? now : null,
    refusal_reason: null,
    journal_id: null,
  };
}

function accountsOf({ kind, from, to }: RequestedAdjustment) {
  if (kind !== 'correction') return ADJUSTED_ACCOUNTS[kind];
  if (from === undefined || to === undefined) throw new AppError('correction_without_accounts');
  return { from, to };
}

async function findSame(trx: Transaction, entry: AdjustmentRow): Promise<AdjustmentRow | undefined> {
  const known = await trx
    .selectFrom('adjustments')
    .selectAll()
    .where('requester_user_id', '=', entry.requester_user_id)
    .where('idempotency_key', '=', entry.idempotency_key)
    .executeTakeFirst();
  const fields = ['kind', 'amount', 'currency', 'from_account', 'to_account', 'reason'] as const;
  if (known && fields.some((field) => known[field] !== entry[field])) throw new AppError('adjustment_key_reused');
  return known;
}
