import { formatMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import type { TransferRow } from '#db/schema.ts';
import { advancePayout, type BegunPayout } from '#payouts/advance-payout.ts';
import { mayHaveBeenSent, plannedPayoutId } from '#payouts/planned-payout.ts';
import { withdrawalFactsOf } from '#withdrawals/withdrawal.domain.ts';
import { noteOf, type SagaDeps, take, transitionOf } from './saga.ts';
import { backoffMs, isFinal, postponementMs, type TransferEvent, waitingReason } from './transfer.domain.ts';

export interface AdvanceOptions {
  /** An administrator asks: the provider is asked at once, and a payout that it does not know is sent again at once. */
  isRetry?: boolean;
}

/** `final`: it has ended. `open`: it waits for an answer from outside. `postponed`: something of ours is away. */
export type AdvanceOutcome = { outcome: 'final' | 'open' | 'postponed'; transfer: TransferRow };

const MAX_ROUNDS = 20;
const FIRST_REFUSAL_MS = 30_000;

/** The transfer after a step, or undefined when it was moved by somebody else and has to be read again. */
export type StepResult = { transfer: TransferRow; waits: boolean; begun?: BegunPayout } | undefined;

/**
 * Takes a transfer as far as it goes now, from wherever it stands. Safe to run at any time, any number of times, by
 * several at once: each step names the version it was decided on, and every effect outside has the transfer's own key.
 * Throws when the database is away.
 */
export async function advanceTransfer(
  deps: SagaDeps,
  transferId: string,
  options: AdvanceOptions = {},
): Promise<AdvanceOutcome | undefined> {
  const transfer = await deps.transfers.submit(transferId);
  return transfer && advanceFrom(deps, transfer, options);
}

/** As `advanceTransfer`, for who has just read or written it; if it has moved on since, it is read again. */
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
    let result: StepResult;
    try {
      result = await takeStep(deps, before, options, begun);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      return { outcome: 'postponed', transfer: await postpone(deps, before, error) };
    }
    begun = result?.begun;
    if (result?.waits) return { outcome: 'open', transfer: result.transfer };
    transfer = result?.transfer ?? (await deps.transfers.submit(before.id));
  }
  return transfer && { outcome: 'open', transfer };
}

function takeStep(
  deps: SagaDeps,
  transfer: TransferRow,
  options: AdvanceOptions,
  begun: BegunPayout | undefined,
): Promise<StepResult> {
  switch (transfer.step) {
    case 'created':
      return reserve(deps, transfer);
    case 'awaiting_approval':
    case 'paying_by_hand':
      return Promise.resolve({ transfer, waits: true });
    case 'approved':
      return beginPayout(deps, transfer, { type: 'payout_begun' });
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

async function reserve(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  const withdrawal = withdrawalFactsOf(transfer);
  const [merchant, hold] = await Promise.all([
    withdrawal ? null : findMerchant(deps, transfer),
    deps.wallet.execute({
      kind: 'hold',
      key: `${transfer.id}:hold`,
      transferId: transfer.id,
      userId: transfer.user_id,
      currency: walletCurrency(transfer.source_currency),
      amount: formatMoney(transfer.source_amount + transfer.fee),
    }),
  ]);
  const at = deps.now();
  if (hold.outcome === 'rejected') return stepTaken(await take(deps, transitionOf(transfer, refusal(hold.reason), at)));
  if (merchant) {
    return stepTaken(
      await take(deps, transitionOf(transfer, { type: 'held', payee: 'merchant' }, at, { recipient: merchant })),
    );
  }
  if (withdrawal?.requiresApproval) {
    return stepTaken(await take(deps, transitionOf(transfer, { type: 'held', payee: 'to_be_approved' }, at)));
  }
  return beginPayout(deps, transfer, { type: 'held', payee: 'phone' });
}

/** The merchant here whom a transfer is for. One's own number is not a merchant to pay, but a way to cash out. */
async function findMerchant(deps: SagaDeps, transfer: TransferRow) {
  const phone = transfer.recipient_phone ?? '';
  const known = phone === transfer.sender_phone ? null : await deps.identity.findRecipient(phone);
  return known && known.userId !== transfer.user_id ? known : null;
}

/** Writes the payout, its id and its exact body before anybody is called. */
async function beginPayout(deps: SagaDeps, transfer: TransferRow, event: TransferEvent): Promise<StepResult> {
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
  const newPayout = { id, provider: deps.provider.id, description, msisdn, requestBody };
  const after = await take(deps, transitionOf(transfer, event, deps.now(), { newPayout }));
  const begun = mayHaveBeenSent(transfer) ? {} : { begun: { id, request_body: requestBody } };
  return after && { transfer: after, waits: false, ...begun };
}

/** The event of a refused hold, and the words that the sender reads. */
export function refusal(reason: string) {
  const message =
    reason === 'insufficient_funds'
      ? 'Amount exceeds available balance'
      : 'Your wallet cannot be used at the moment. Please contact support.';
  return { type: 'hold_refused' as const, code: reason, message };
}

async function capture(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  const isToMerchant = transfer.recipient_user_id !== null;
  const booked = await deps.wallet.execute({
    kind: 'capture',
    key: `${transfer.id}:capture`,
    transferId: transfer.id,
    holdKey: `${transfer.id}:hold`,
    userId: transfer.user_id,
    currency: walletCurrency(transfer.source_currency),
    amount: formatMoney(transfer.source_amount + transfer.fee),
    fee: formatMoney(transfer.fee),
    target: {
      currency: walletCurrency(transfer.target_currency),
      amount: formatMoney(transfer.target_amount),
      midAmount: formatMoney(transfer.mid_amount),
    },
    destination: transfer.recipient_user_id
      ? { kind: 'wallet', userId: transfer.recipient_user_id }
      : { kind: 'payout' },
  });
  if (booked.outcome === 'rejected') return waitForLedger(deps, transfer, booked.reason);
  return stepTaken(
    await take(deps, transitionOf(transfer, { type: 'booked' }, deps.now(), { isPaymentToMerchant: isToMerchant })),
  );
}

async function release(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  const released = await deps.wallet.execute({
    kind: 'release',
    key: `${transfer.id}:release`,
    transferId: transfer.id,
    holdKey: `${transfer.id}:hold`,
    userId: transfer.user_id,
    currency: walletCurrency(transfer.source_currency),
    reason: transfer.error_code ?? 'payout failed',
  });
  if (released.outcome === 'rejected') return waitForLedger(deps, transfer, released.reason);
  return stepTaken(await take(deps, transitionOf(transfer, { type: 'released' }, deps.now())));
}

async function deposit(deps: SagaDeps, transfer: TransferRow): Promise<StepResult> {
  const metadata = transfer.metadata as { adminId: string; description: string };
  const booked = await deps.wallet.execute({
    kind: 'deposit',
    key: `${transfer.id}:deposit`,
    transferId: transfer.id,
    userId: transfer.user_id,
    currency: transfer.target_currency,
    amount: formatMoney(transfer.target_amount),
    adminId: metadata.adminId,
    description: metadata.description,
  });
  if (booked.outcome === 'rejected') return waitForLedger(deps, transfer, booked.reason);
  return stepTaken(await take(deps, transitionOf(transfer, { type: 'booked' }, deps.now())));
}

/**
 * A capture, release or deposit that the ledger refuses: a wallet is frozen, or the books contradict ours. Somebody has
 * to look, so that it stands in the stuck list at once; it is tried again, since a wallet may be freed.
 */
async function waitForLedger(deps: SagaDeps, transfer: TransferRow, reason: string): Promise<StepResult> {
  const at = deps.now();
  const { id: transferId, step, attempts } = transfer;
  if (attempts === 0)
    deps.logger.error({ transferId, step, reason }, 'the ledger refuses a step: somebody has to look');
  const nextActionAt = new Date(at.getTime() + backoffMs(attempts, FIRST_REFUSAL_MS));
  const event = { type: 'waiting_too_long' as const, reason: waitingReason(step) };
  const after = await take(deps, transitionOf(transfer, event, at, { attempts: attempts + 1, nextActionAt }));
  return after && { transfer: after, waits: true };
}

async function postpone(deps: SagaDeps, transfer: TransferRow, error: AppError): Promise<TransferRow> {
  const at = deps.now();
  deps.logger.debug({ transferId: transfer.id, step: transfer.step, err: error.cause }, 'postponed');
  const attempts = transfer.attempts + 1;
  const nextActionAt = new Date(at.getTime() + postponementMs(transfer.attempts));
  return (await take(deps, noteOf(transfer, at, { attempts, nextActionAt }))) ?? transfer;
}

function stepTaken(transfer: TransferRow | undefined): StepResult {
  return transfer && { transfer, waits: false };
}

/** The wallet's currencies; a transfer in any other cannot have been accepted. */
function walletCurrency(currency: TransferRow['source_currency']): 'KES' | 'TZS' {
  if (currency === 'USD') throw new Error('USD is deposited, never transferred');
  return currency;
}
