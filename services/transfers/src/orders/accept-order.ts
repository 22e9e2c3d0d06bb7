import type { Caller } from '@vuka/access/caller';
import { EVENTS } from '@vuka/contracts/topology';
import { AppError } from '@vuka/service-kit/app-error';
import type { BacklogGate } from '@vuka/service-kit/backlog-gate';
import type { Batcher } from '@vuka/service-kit/batcher';
import { isDatabaseUnavailable } from '@vuka/service-kit/database';
import { uuidv7 } from '@vuka/service-kit/ids';

import type { TransferRow } from '#db/schema.ts';
import type { CountedOrder } from '#limits/check-limits.ts';
import { COMMAND_LOST_AFTER_MS, executeCommand } from '#saga/commands.ts';
import { findLostPayout } from '#saga/lost-payout.ts';
import type { OrdersAcceptedHere } from '#saga/orders-accepted-here.ts';
import { afterTransition, type SagaDeps, transitionOf } from '#saga/step.ts';
import { holdRefused } from '#saga/transfer.domain.ts';
import type { ClientKey, NewTransfer } from '#saga/transfer.store.ts';
import { createdEvent } from '#saga/transfer-events.ts';
import { holdOf, walletCurrency } from '#saga/wallet-commands.ts';

export interface AcceptDeps
  extends Pick<
    SagaDeps,
    'db' | 'wallet' | 'transitions' | 'transfers' | 'books' | 'provider' | 'payoutGraceMs' | 'logger' | 'now'
  > {
  byClientKey: Batcher<ClientKey, TransferRow | undefined>;
  /** Refuses new orders while earlier ones cannot be executed soon. */
  backlog: BacklogGate;
  /** Set where this process also executes what it accepts. */
  rememberAccepted?: OrdersAcceptedHere['remember'] | undefined;
}

interface OrderToAccept {
  /** A hash of the fields that identify the order. */
  hash: Buffer;
  /** Validates, prices and inserts the order, unless its key was inserted meanwhile. */
  write: () => Promise<{ row: TransferRow; isNew: boolean }>;
}

/**
 * Accepts an order once per key and reserves its money. Most orders are new, so it inserts first and looks the key up
 * only when it could not insert. Throws insufficient_funds, idempotency_conflict, unavailable when overloaded, and
 * whatever `write` throws.
 */
export async function acceptOnce(
  deps: AcceptDeps,
  key: ClientKey,
  { hash, write }: OrderToAccept,
): Promise<{ created: boolean; transfer: TransferRow }> {
  let written: { row: TransferRow; isNew: boolean } | undefined;
  let refused: unknown;
  try {
    await deps.backlog.admit();
    written = await write();
  } catch (error) {
    // Looking the order up would only wait a second time for an unavailable database.
    if (isDatabaseUnavailable(error)) throw error;
    refused = error;
  }
  if (written?.isNew) return { created: true, transfer: await reserveNow(deps, written.row) };
  // A known order gets its first answer, whatever the load and today's price.
  const known = await deps.byClientKey.submit(key);
  if (known) return { created: false, transfer: replay(known, hash) };
  throw refused ?? new Error('a transfer with this key exists but cannot be found');
}

/** The initial values of every new order. */
export function newTransferRow(caller: Caller, at: Date) {
  return {
    id: uuidv7(at.getTime()),
    user_id: caller.userId,
    recipient_user_id: null,
    recipient_name: null,
    sender_phone: caller.phone,
    status: 'PENDING',
    step: 'created',
    waiting_reason: null,
    error_code: null,
    error_message: null,
    failure: null,
    is_open: true,
    version: 1,
    attempts: 0,
    next_action_at: new Date(at.getTime() + COMMAND_LOST_AFTER_MS),
    created_at: at,
    updated_at: at,
    resumed_at: null,
  } as const;
}

/** A new order as limits count it. */
export function countedOf(row: TransferRow): CountedOrder {
  const { source_amount: amount, fee, created_at: at } = row;
  return { amount, fee, currency: walletCurrency(row.source_currency), at };
}

/** The answer to the first request, or idempotency_conflict if that was a different order. */
function replay(known: TransferRow, hash: Buffer): TransferRow {
  if (!known.request_hash.equals(hash)) {
    throw new AppError('transfer_id_reused');
  }
  if (known.step === 'failed' && known.error_code === 'insufficient_funds') throw insufficientFunds();
  return known;
}

/** The event and the command of a new order. The event comes first, so that it precedes the events of its execution. */
export function messagesOf(row: TransferRow, caller: Caller): NewTransfer['messages'] {
  return [{ exchange: EVENTS, envelope: createdEvent(row) }, executeCommand(row.id, caller.requestId, row.created_at)];
}

/**
 * Reserves the money while the sender waits, so that insufficient funds are reported at once. Without an answer, the
 * order stays accepted and the worker repeats the hold under the same key.
 */
async function reserveNow(deps: AcceptDeps, transfer: TransferRow): Promise<TransferRow> {
  try {
    const requested = deps.wallet.execute(holdOf(transfer));
    deps.rememberAccepted?.({ transfer, hold: requested });
    const hold = await requested;
    if (hold.outcome === 'applied') return transfer;
    // Lost books may have paid this order: then the worker ends it.
    const epoch = await deps.books.epoch();
    if ((await findLostPayout(deps, transfer, epoch)).kind !== 'none') return transfer;
    const transition = transitionOf(transfer, holdRefused(hold.reason), deps.now(), { place: epoch.place });
    const isTaken = await deps.transitions.submit(transition);
    // Not taken, perhaps because the books are in another place than this process knew.
    if (!isTaken && (await findLostPayout(deps, transfer, await deps.books.renew())).kind !== 'none') return transfer;
    if (hold.reason === 'insufficient_funds') throw insufficientFunds();
    return isTaken ? afterTransition(transition) : transfer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_funds') throw error;
    deps.logger.warn(
      { transferId: transfer.id, err: (error as Error).message },
      'accepted without a hold; the worker repeats it',
    );
    return transfer;
  }
}

function insufficientFunds(): AppError {
  return new AppError('insufficient_funds');
}
