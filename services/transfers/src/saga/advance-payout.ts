import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { formatMoney } from '@vuka/money';
import type { TransferRow } from '#db/schema.ts';
import type { PayoutState } from '#db/states.ts';
import { type PayoutOnRecord, resolveHolds, toLog } from '#payouts/payout.store.ts';
import type { PayoutFailure, ProviderCall, StatusResult, SubmitResult } from '#payouts/payout-provider.ts';
import { acknowledge, applyToCurrent } from './apply-report.ts';
import { isSenderBlocked, SENDER_BLOCKED, stopForBlock } from './blocked-sender.ts';
import { explainFailure } from './explain-failure.ts';
import { holdForDecision } from './hold-for-decision.ts';
import { beginLease } from './lease.ts';
import {
  acknowledges,
  afterNotFound,
  failureOfRequest,
  isToBeSent,
  isUnsent,
  refusalCodeOf,
  sentBy,
  stateAfter,
  wasAcknowledged,
} from './payout-decision.domain.ts';
import {
  type AdvanceOptions,
  afterTransition,
  type BegunPayout,
  noteOf,
  type SagaDeps,
  type StepResult,
  stepTaken,
  take,
  transitionOf,
} from './step.ts';
import { backoffMs, postponementMs } from './transfer.domain.ts';

/** Ask soon after an ambiguous answer: the provider has usually decided by then. */
const AFTER_AMBIGUITY_MS = 5_000;

interface PayoutOptions extends AdvanceOptions {
  /** Set only when this process has just written the payout and cannot have sent it yet. */
  begun: BegunPayout | undefined;
}

/**
 * One exchange with the provider about an open payout: the first request, a repeat under the same id, or a status
 * inquiry. A refusal proves failure only if it answers a first request that was never repeated. The refusal of a repeat
 * proves nothing about the earlier requests; one of them may have been paid. An inquiry proves failure if the provider
 * reports it, or if the provider still does not know a refused payout, which it never acknowledged, after the grace time.
 */
export async function advancePayout(
  deps: SagaDeps,
  transfer: TransferRow,
  options: PayoutOptions,
): Promise<StepResult> {
  if (options.begun) return submit(deps, transfer, options.begun, true);
  const payout = await deps.payouts.submit(transfer.id);
  if (!payout) throw new Error(`transfer ${transfer.id} is paying out without a payout`);
  const stopped = isUnsent(payout) && (await stopIfBlocked(deps, transfer, payout));
  if (stopped) return stopped.step;
  if (isToBeSent(payout)) return repeat(deps, transfer, payout);
  return inquire(deps, transfer, payout, options);
}

/** Ends a payout that the provider does not have, if its sender was blocked meanwhile. */
async function stopIfBlocked(deps: SagaDeps, transfer: TransferRow, payout: PayoutOnRecord) {
  if (!(await isSenderBlocked(deps, transfer))) return undefined;
  const ended = { ...changeTo(payout, 'failed', 0), failureCode: SENDER_BLOCKED.code };
  const stopped = await stopForBlock(deps, transfer, { payout: ended });
  if (stopped) return stopped;
  // Lost books have sent it. From now on the provider's silence about it is no proof, and the next step asks.
  await acknowledge(deps, payout.id);
  return { step: undefined };
}

/**
 * Sends a payout that another process may have sent, or may be sending now. The attempt is committed before the call:
 * the new version stops any process still waiting for an answer from treating a refusal as final, and if this process
 * dies the payout's status is polled.
 */
async function repeat(deps: SagaDeps, transfer: TransferRow, payout: PayoutOnRecord): Promise<StepResult> {
  const isTooLate = beginLease(leaseMsOf(deps));
  const noted = await take(deps, noteOf(transfer, deps.now(), { payout: changeTo(payout, 'unknown', 1) }));
  return noted && submit(deps, noted, { ...payout, isTooLate }, false);
}

/**
 * How long after the decision a request may still be sent, ms. A process that was suspended for longer sends nothing
 * when it resumes: after the grace time, another process may have failed the payout because the provider did not know
 * it.
 */
export const leaseMsOf = ({ payoutGraceMs }: SagaDeps) => payoutGraceMs / 4;

async function submit(
  deps: SagaDeps,
  transfer: TransferRow,
  payout: BegunPayout,
  isFirst: boolean,
): Promise<StepResult> {
  const log = recorder(deps, transfer, payout);
  const result = await deps.provider.submit(payout.id, payout.request_body, log.record, payout.isTooLate);
  const at = deps.now();
  const failure = failureOfRequest(result, isFirst);
  if (failure) return fail(deps, transfer, { payout, failure, submissions: 1, calls: log.calls });
  const failureCode = refusalCodeOf(result);
  if (failureCode !== null)
    deps.logger.error({ transferId: transfer.id, failureCode }, 'a payout was refused and stays open');
  if (result.kind === 'not_sent')
    deps.logger.debug({ transferId: transfer.id, reason: result.reason }, 'the provider could not be reached');
  const note = noteOf(transfer, at, {
    payout: {
      id: payout.id,
      state: stateAfter(result, isFirst),
      reference: result.kind === 'accepted' ? (result.providerReference ?? null) : null,
      failureCode,
      submissions: sentBy(result, isFirst),
      isAcknowledged: acknowledges(result),
      isCounted: isFirst,
    },
    attempts: transfer.attempts + 1,
    nextActionAt: new Date(at.getTime() + waitAfter(deps, result, transfer.attempts)),
    calls: log.calls,
  });
  // If the callback arrived first, its handler has already advanced the transfer.
  const isTaken = await deps.notes.submit(note);
  if (!isTaken && acknowledges(result)) await acknowledge(deps, payout.id);
  return { transfer: isTaken ? afterTransition(note) : transfer, waits: true };
}

interface ProvenFailure {
  payout: { id: string };
  failure: PayoutFailure;
  submissions: number;
  calls: IntegrationLog[];
}

/** Commits only if the transfer has not changed since the proof was requested. */
async function fail(deps: SagaDeps, transfer: TransferRow, proven: ProvenFailure): Promise<StepResult> {
  const { payout, failure, submissions, calls } = proven;
  const event = { type: 'payout_failed' as const, code: failure.code, reason: explainFailure(failure) };
  const change = { ...changeTo(payout, 'failed', submissions), failureCode: failure.code };
  return stepTaken(await take(deps, transitionOf(transfer, event, deps.now(), { payout: change, calls })));
}

function waitAfter(deps: SagaDeps, result: SubmitResult, attempts: number): number {
  if (result.kind === 'accepted') return deps.payoutCheckMs;
  if (result.kind === 'duplicate') return 0;
  if (result.kind === 'not_sent') return postponementMs(attempts);
  return backoffMs(attempts, AFTER_AMBIGUITY_MS);
}

async function inquire(
  deps: SagaDeps,
  transfer: TransferRow,
  payout: PayoutOnRecord,
  options: PayoutOptions,
): Promise<StepResult> {
  const log = recorder(deps, transfer, payout);
  const result = await deps.provider.status(payout.id, log.record);
  if (result.kind === 'found') {
    const arrived = { report: result.report, isInquiry: true, callsOf: () => log.calls };
    const applied = await applyToCurrent(deps, arrived, { transfer, payout });
    return stepTaken(applied?.transfer, applied?.transfer.step === 'paying_out');
  }
  return notFound(deps, transfer, { payout, result, calls: log.calls, isRetry: options.isRetry ?? false });
}

interface NotFound {
  payout: PayoutOnRecord;
  result: Exclude<StatusResult, { kind: 'found' }>;
  calls: IntegrationLog[];
  isRetry: boolean;
}

/** Acts on an inquiry that did not find the payout. */
async function notFound(
  deps: SagaDeps,
  transfer: TransferRow,
  { payout, result, calls, isRetry }: NotFound,
): Promise<StepResult> {
  const at = deps.now();
  const refused = payout.failure_code === null ? undefined : deps.provider.readFailure(payout.failure_code);
  const isRefusedUnclearly = payout.failure_code !== null && !refused;
  const isAcknowledged = wasAcknowledged(payout);
  const facts = { result, isAcknowledged, refused, isRefusedUnclearly, isRetry, ...gracesOf(deps, payout) };
  const next = afterNotFound(facts);
  if (next === 'fail' && refused) return fail(deps, transfer, { payout, failure: refused, submissions: 0, calls });
  if (next === 'hold' && !(await hold(deps, transfer, payout, at))) {
    await deps.lateCalls.submit(calls);
    return undefined;
  }
  const goesAgain = next === 'send_again';
  // The code of its refusal is documented by now. The exception ends before the step: a decision must not return the money
  // of a payout that is being sent.
  if (goesAgain && payout.failure_code !== null)
    await resolveHolds(deps.db, payout.id, { kinds: ['unknown_failure'], note: 'The payout is sent again.', at });
  return stepTaken(
    await take(
      deps,
      noteOf(transfer, at, {
        ...(goesAgain ? { payout: changeTo(payout, 'submitting', 0) } : {}),
        attempts: transfer.attempts + 1,
        nextActionAt: new Date(at.getTime() + (goesAgain ? 0 : backoffMs(transfer.attempts, deps.payoutCheckMs))),
        calls,
      }),
    ),
    !(goesAgain && isRetry),
  );
}

/** Holds a payout that the provider does not know, although it had it, or has refused it with an unknown code. */
async function hold(deps: SagaDeps, transfer: TransferRow, payout: PayoutOnRecord, at: Date): Promise<boolean> {
  const isLost = wasAcknowledged(payout);
  const kind = isLost ? 'lost_by_provider' : 'unknown_failure';
  const details = { ours: figuresOf(payout), theirs: isLost ? null : { unknownFailure: payout.failure_code } };
  const isHeld = await holdForDecision(deps, { transfer, payout }, { kind, details, at });
  if (isHeld)
    deps.logger.error(
      { transferId: transfer.id, payoutId: payout.id, kind },
      'the provider does not know a payout, whose outcome an administrator has to decide',
    );
  return isHeld;
}

/**
 * `isPastGrace`: one grace time has passed since the last request, so none can still be in flight. `wasSentLate`: the
 * last request was sent more than one grace time after the payout began.
 */
function gracesOf({ payoutGraceMs }: SagaDeps, { ms_since_request: ms, ms_to_request: msBefore }: PayoutOnRecord) {
  return { isPastGrace: ms > payoutGraceMs, wasSentLate: msBefore > payoutGraceMs };
}

const figuresOf = ({ state, amount, currency, destination_account: msisdn }: PayoutOnRecord) => ({
  state,
  amount: formatMoney(amount),
  currency,
  msisdn,
});

function changeTo(payout: { id: string }, state: PayoutState, submissions: number) {
  return { id: payout.id, state, reference: null, failureCode: null, submissions };
}

function recorder(deps: SagaDeps, transfer: TransferRow, payout: { id: string }) {
  const calls: IntegrationLog[] = [];
  const record = (call: ProviderCall) => {
    calls.push(toLog(call, { transferId: transfer.id, payoutId: payout.id }, deps.now()));
  };
  return { calls, record };
}
