import type { WalletCommand } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import type { TransferRow } from '#db/schema.ts';
import { receivable } from '#limits/check-limits.ts';
import type { BooksEpoch } from '#payouts/books-epoch.ts';
import { findResolved, openException } from '#payouts/payout.store.ts';
import { advancePayout, leaseMsOf } from './advance-payout.ts';
import { isSenderBlocked, stopForBlock } from './blocked-sender.ts';
import { beginLease } from './lease.ts';
import { findLostPayout } from './lost-payout.ts';
import { mayHaveBeenSent, plannedPayoutId } from './planned-payout.ts';
import {
  type AdvanceOptions,
  type BegunPayout,
  noteOf,
  type SagaDeps,
  type StepExtras,
  type StepResult,
  stepTaken,
  take,
  transitionOf,
} from './step.ts';
import { backoffMs, holdRefused, isFinal, postponementMs, type TransferEvent, waitingNote } from './transfer.domain.ts';
import { waitFor, waitForProvider } from './wait-for.ts';
import { captureOf, depositOf, holdOf, releaseOf, walletCurrency } from './wallet-commands.ts';
import { withdrawalFactsOf } from './withdrawal.domain.ts';

/**
 * `final`: the transfer has ended. `open`: it waits for an answer from outside. `postponed`: one of our services is
 * unavailable.
 */
export type AdvanceOutcome = { outcome: 'final' | 'open' | 'postponed'; transfer: TransferRow };

const MAX_ROUNDS = 20;
const FIRST_REFUSAL_MS = 30_000;

/**
 * Advances a transfer as far as possible from its current step. Safe to run at any time, repeatedly and concurrently:
 * each step names the version it was decided on, and every external effect carries a key derived from the transfer.
 * Throws when the database is unavailable.
 */
export async function advanceTransfer(
  deps: SagaDeps,
  transferId: string,
  options: AdvanceOptions = {},
): Promise<AdvanceOutcome | undefined> {
  const accepted = deps.acceptedHere.take(transferId);
  if (accepted) return advanceFrom(deps, accepted.transfer, { ...options, hold: accepted.hold });
  const transfer = await deps.transfers.submit(transferId);
  return transfer && advanceFrom(deps, transfer, options);
}

/**
 * Like `advanceTransfer`, for a caller that has just read or written the transfer. Reads it again if it has changed.
 */
export async function advanceFrom(
  deps: SagaDeps,
  known: TransferRow,
  options: AdvanceOptions = {},
): Promise<AdvanceOutcome | undefined> {
  let transfer: TransferRow | undefined = known;
  let begun: BegunPayout | undefined;
  for (let round = 0; transfer && round < MAX_ROUNDS; round++) {
    if (isFinal(transfer)) return { outcome: 'final', transfer };
    const before: TransferRow = transfer;
    const { hold, ...asked } = options;
    // The hold was requested for the transfer as the caller passed it, not for a later version.
    const own = before === known && hold ? { ...asked, hold } : asked;
    const { result, postponed } = await stepOrPostpone(deps, before, own, begun);
    if (postponed) return { outcome: 'postponed', transfer: postponed };
    begun = result?.begun;
    if (result?.waits) return { outcome: 'open', transfer: result.transfer };
    transfer = result?.transfer ?? (await deps.transfers.submit(before.id));
  }
  return transfer && { outcome: 'open', transfer };
}

/**
 * Takes the next step, or postpones it while a service is unavailable. Returns neither if another process has changed
 * the transfer.
 */
async function stepOrPostpone(
  deps: SagaDeps,
  transfer: TransferRow,
  options: AdvanceOptions,
  begun: BegunPayout | undefined,
): Promise<{ result?: StepResult; postponed?: TransferRow | undefined }> {
  try {
    return { result: await takeStep(deps, transfer, options, begun) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    return { postponed: await postpone(deps, transfer, error) };
  }
}

function takeStep(
  deps: SagaDeps,
  transfer: TransferRow,
  options: AdvanceOptions,
  begun: BegunPayout | undefined,
): Promise<StepResult> {
  switch (transfer.step) {
    case 'created':
      return reserve(deps, transfer, options.hold);
    case 'awaiting_approval':
    case 'paying_by_hand':
      return Promise.resolve({ transfer, waits: true });
    case 'approved':
      return payApproved(deps, transfer);
    case 'paying_out':
      return advancePayout(deps, transfer, { ...options, begun });
    case 'capturing':
      return capture(deps, transfer);
    case 'releasing':
      return release(deps, transfer);
    case 'depositing':
      return deposit(deps, transfer);
    case 'settled':
    case 'failed':
    case 'cancelled':
      throw new Error('a final transfer has no next step');
  }
}

async function reserve(deps: SagaDeps, transfer: TransferRow, requested: AdvanceOptions['hold']): Promise<StepResult> {
  const withdrawal = withdrawalFactsOf(transfer);
  const [merchant, hold, isBlocked] = await Promise.all([
    withdrawal ? null : findMerchant(deps, transfer),
    holdFor(deps, transfer, requested),
    // What an administrator approves is asked about before it is paid.
    !withdrawal?.requiresApproval && isSenderBlocked(deps, transfer),
  ]);
  if (hold.outcome === 'rejected') return refuseHold(deps, transfer, hold.reason);
  let isKnownToProvider = false;
  if (isBlocked) {
    const stopped = await stopForBlock(deps, transfer);
    if (stopped) return stopped.step;
    isKnownToProvider = true;
  }
  // A second answer could deny what the first one said, and the merchant would be paid for a blocked sender.
  if (merchant && !isKnownToProvider) {
    const epoch = await deps.books.epoch();
    // Lost books may have paid the phone, while its owner was blocked or had not registered.
    const lost = await findLostPayout(deps, transfer, epoch);
    if (lost.kind === 'unclear') return waitForProvider(deps, transfer);
    if (lost.kind === 'none') return payMerchant(deps, transfer, merchant, epoch);
    isKnownToProvider = true;
  }
  if (withdrawal?.requiresApproval) {
    const held = { type: 'held' as const, payee: 'to_be_approved' as const };
    return stepTaken(await take(deps, transitionOf(transfer, held, deps.now())));
  }
  return beginPayout(deps, transfer, { type: 'held', payee: 'phone' }, isKnownToProvider);
}

/** The answer to the hold already requested, or to a new request if that one got no answer. */
async function holdFor(deps: SagaDeps, transfer: TransferRow, requested: AdvanceOptions['hold']) {
  return (await requested?.catch(() => undefined)) ?? deps.wallet.execute(holdOf(transfer));
}

/**
 * Fails a transfer without a hold. Lost books may have held its money, which was spent since, and paid it: the exception
 * that the provider's statement opens about such a payment then names its order. A failure with an undocumented code, which
 * may never become clear, waits for the administrator who resolves the exception about it.
 */
async function refuseHold(deps: SagaDeps, transfer: TransferRow, reason: string): Promise<StepResult> {
  const epoch = await deps.books.epoch();
  const lost = await findLostPayout(deps, transfer, epoch);
  if (lost.kind === 'unclear') return waitForProvider(deps, transfer);
  const at = deps.now();
  if (lost.kind === 'found') {
    const { report } = lost;
    const isPaid = report.state === 'completed';
    if (!isPaid && report.unknownFailure === undefined) return waitForProvider(deps, transfer);
    const payoutId = report.clientPayoutId;
    const kind = isPaid ? 'paid_without_order' : 'unknown_failure';
    const details = { ours: null, theirs: report };
    await openException(deps.db, { payoutId, kind, transactionId: transfer.id, details, at });
    if (!isPaid && !(await findResolved(deps.db, payoutId, kind))) return waitForProvider(deps, transfer);
  }
  return stepTaken(await take(deps, transitionOf(transfer, holdRefused(reason), at, { place: epoch.place })));
}

/** A merchant here is paid within the limits of what they may receive. */
async function payMerchant(
  deps: SagaDeps,
  transfer: TransferRow,
  recipient: Merchant,
  { place }: BooksEpoch,
): Promise<StepResult> {
  const at = deps.now();
  const payment = { userId: recipient.userId, tier: recipient.tier, amount: transfer.target_amount, at };
  const received = await receivable(deps, { ...payment, currency: walletCurrency(transfer.target_currency) });
  const transition = received
    ? transitionOf(transfer, { type: 'held', payee: 'merchant' }, at, { recipient, received, place })
    : transitionOf(transfer, RECIPIENT_LIMIT, at, { place });
  return stepTaken(await take(deps, transition));
}

type Merchant = NonNullable<Awaited<ReturnType<typeof findMerchant>>>;

const RECIPIENT_LIMIT: TransferEvent = {
  type: 'recipient_refused',
  code: 'recipient_limit',
  reason: [{ code: 'recipient_limit_reached' }],
};

/**
 * The merchant who owns the recipient's phone number, if any. The sender's own number is a cash-out, not a merchant.
 */
async function findMerchant(deps: SagaDeps, transfer: TransferRow) {
  const phone = transfer.recipient_phone ?? '';
  const known = phone === transfer.sender_phone ? null : await deps.identity.findRecipient(phone);
  return known && known.userId !== transfer.user_id ? known : null;
}

/** The merchant may have been blocked since the approval. */
async function payApproved(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  const isBlocked = await isSenderBlocked(deps, transfer);
  const stopped = isBlocked && (await stopForBlock(deps, transfer));
  return stopped ? stopped.step : beginPayout(deps, transfer, { type: 'payout_begun' }, isBlocked);
}

/**
 * Commits the payout, its id and its exact body before the provider is called. One that lost books have sent is
 * acknowledged from the beginning: if the provider denies it later, that proves nothing.
 */
async function beginPayout(
  deps: SagaDeps,
  transfer: TransferRow,
  event: TransferEvent,
  isKnownToProvider: boolean,
): Promise<StepResult> {
  const id = plannedPayoutId(transfer);
  const msisdn = (transfer.recipient_phone ?? '').replace('+', '');
  const requestBody = deps.provider.prepare({
    clientPayoutId: id,
    amount: formatMoney(transfer.target_amount),
    currency: walletCurrency(transfer.target_currency),
    msisdn,
    transferId: transfer.id,
  });
  const description = transfer.transaction_type === 'withdrawal' ? 'Withdrawal to a phone' : 'Transfer to a phone';
  const epoch = await deps.books.epoch();
  const isSentAtOnce = !mayHaveBeenSent(transfer, epoch);
  const known = { isCounted: !isSentAtOnce, isAcknowledged: isKnownToProvider };
  const newPayout = { id, provider: deps.provider.id, description, msisdn, requestBody, ...known };
  const isTooLate = beginLease(leaseMsOf(deps));
  const after = await take(deps, transitionOf(transfer, event, deps.now(), { newPayout, place: epoch.place }));
  const begun = isSentAtOnce ? { begun: { id, request_body: requestBody, isTooLate } } : {};
  return after && { transfer: after, waits: false, ...begun };
}

async function capture(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  const isPaymentToMerchant = transfer.recipient_user_id !== null;
  return book(deps, transfer, {
    command: captureOf(transfer),
    event: { type: 'booked' },
    extras: { isPaymentToMerchant },
  });
}

async function release(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  return book(deps, transfer, { command: releaseOf(transfer), event: { type: 'released' } });
}

async function deposit(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  return book(deps, transfer, { command: depositOf(transfer), event: { type: 'booked' } });
}

interface Booking {
  command: WalletCommand;
  /** The event to apply once the ledger has booked the command. */
  event: TransferEvent;
  extras?: StepExtras;
}

async function book(
  deps: SagaDeps,
  transfer: TransferRow,
  { command, event, extras = {} }: Booking,
): Promise<StepResult> {
  const booked = await deps.wallet.execute(command);
  if (booked.outcome === 'rejected') return waitForLedger(deps, transfer, booked.reason);
  return stepTaken(await take(deps, transitionOf(transfer, event, deps.now(), extras)));
}

/**
 * The ledger refused a capture, release or deposit: a wallet is frozen, or the ledger contradicts our records. A person
 * has to look, so the transfer is listed as stuck at once. It is still retried, since a wallet may be unfrozen.
 */
async function waitForLedger(deps: SagaDeps, transfer: TransferRow, reason: string): Promise<StepResult> {
  const { id: transferId, step, attempts } = transfer;
  if (attempts === 0)
    deps.logger.error({ transferId, step, reason }, 'the ledger refused a step; a person must investigate');
  return waitFor(deps, transfer, { reason: waitingNote(step), delayMs: backoffMs(attempts, FIRST_REFUSAL_MS) });
}

/**
 * Sets the time of the next attempt. Returns undefined if another process has changed the transfer: the caller then
 * reads it again, since no other process may take it up soon.
 */
async function postpone(deps: SagaDeps, transfer: TransferRow, error: AppError): Promise<TransferRow | undefined> {
  const at = deps.now();
  deps.logger.debug({ transferId: transfer.id, step: transfer.step, err: error.cause }, 'postponed');
  const attempts = transfer.attempts + 1;
  const nextActionAt = new Date(at.getTime() + postponementMs(transfer.attempts));
  return take(deps, noteOf(transfer, at, { attempts, nextActionAt }));
}
