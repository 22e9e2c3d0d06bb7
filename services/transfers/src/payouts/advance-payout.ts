import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { PayoutRow, TransferRow } from '#db/schema.ts';
import type { AdvanceOptions, StepResult } from '#transfers/advance-transfer.ts';
import { afterTransition, noteOf, type SagaDeps, take, transitionOf } from '#transfers/saga.ts';
import { backoffMs } from '#transfers/transfer.domain.ts';
import { applyReport } from './apply-report.ts';
import { explainFailure, isOperatorsToMend } from './payout.domain.ts';
import { toLog } from './payout.store.ts';
import type { PayoutFailure, PayoutState, ProviderCall, SubmitResult } from './payout-provider.ts';

/** An ambiguous answer is asked about soon: mostly the provider has decided by then. */
const AFTER_AMBIGUITY_MS = 5_000;

/** What a request to the provider is made of. */
export type BegunPayout = Pick<PayoutRow, 'id' | 'request_body'>;

interface PayoutOptions extends AdvanceOptions {
  /** The payout, where this process wrote it just now and has certainly not sent it yet. */
  begun: BegunPayout | undefined;
}

/**
 * One exchange with the provider about an open payout: its first request, a repeat of it under the same id, or an
 * inquiry. Only an answer about this payout's id, or the refusal of its very first request, is proof of failure.
 */
export async function advancePayout(
  deps: SagaDeps,
  transfer: TransferRow,
  options: PayoutOptions,
): Promise<StepResult> {
  if (options.begun) return submit(deps, transfer, options.begun, true);
  const payout = await deps.payouts.submit(transfer.id);
  if (!payout) throw new Error(`transfer ${transfer.id} is paying out without a payout`);
  if (payout.state === 'submitting') return submit(deps, transfer, payout, false);
  return inquire(deps, transfer, payout, options);
}

async function submit(
  deps: SagaDeps,
  transfer: TransferRow,
  payout: BegunPayout,
  isFirst: boolean,
): Promise<StepResult> {
  const log = recorder(deps, transfer, payout);
  const result = await deps.provider.submit(payout.id, payout.request_body, log.record);
  const at = deps.now();
  const failure = provenFailure(result, isFirst);
  if (failure) {
    const change = {
      id: payout.id,
      state: 'failed' as const,
      reference: null,
      failureCode: failure.code,
      submissions: 1,
    };
    const event = { type: 'payout_failed' as const, code: failure.code, message: explainFailure(failure) };
    return stepTaken(await take(deps, transitionOf(transfer, event, at, { payout: change, calls: log.calls })), false);
  }
  if (result.kind === 'rejected')
    deps.logger.error({ transferId: transfer.id, failure: result.failure }, 'a payout is refused and waits');
  const note = noteOf(transfer, at, {
    payout: {
      id: payout.id,
      state: stateAfter(result),
      reference: result.kind === 'accepted' ? (result.providerReference ?? null) : null,
      failureCode: result.kind === 'rejected' ? result.failure.code : null,
      submissions: 1,
    },
    attempts: transfer.attempts + 1,
    nextActionAt: new Date(at.getTime() + waitAfter(deps, result, transfer.attempts)),
    calls: log.calls,
  });
  // Where the callback was quicker, whoever took it goes on with the transfer.
  const isTaken = await deps.notes.submit(note);
  return { transfer: isTaken ? afterTransition(note) : transfer, waits: true };
}

/** Why the payout has certainly failed, or undefined while that is an open question, or the operator's to mend. */
function provenFailure(result: SubmitResult, isFirst: boolean): PayoutFailure | undefined {
  if (result.kind !== 'rejected' || isOperatorsToMend(result.failure)) return undefined;
  return isFirst || result.coversEarlierRequests ? result.failure : undefined;
}

function stateAfter(result: SubmitResult): PayoutState {
  if (result.kind === 'accepted') return result.state;
  // Nothing was created by a refused request, so it may be sent again; anything else has to be asked about.
  return result.kind === 'rejected' ? 'submitting' : 'unknown';
}

function waitAfter(deps: SagaDeps, result: SubmitResult, attempts: number): number {
  if (result.kind === 'accepted') return deps.payoutCheckMs;
  if (result.kind === 'duplicate') return 0;
  return backoffMs(attempts, AFTER_AMBIGUITY_MS);
}

async function inquire(
  deps: SagaDeps,
  transfer: TransferRow,
  payout: PayoutRow,
  options: PayoutOptions,
): Promise<StepResult> {
  const log = recorder(deps, transfer, payout);
  const result = await deps.provider.status(payout.id, log.record);
  if (result.kind === 'found') {
    const applied = await applyReport(deps, { transfer, payout, report: result.report, calls: log.calls });
    return applied && stepTaken(applied, applied.step === 'paying_out');
  }
  const at = deps.now();
  const isUnknownThere = result.kind === 'not_found' && (options.isRetry || isPastGrace(deps, payout, at));
  return stepTaken(
    await take(
      deps,
      noteOf(transfer, at, {
        // The provider does not know it: the same id and body may be sent again, which pays at most once.
        ...(isUnknownThere ? { payout: changeTo(payout, 'submitting') } : {}),
        attempts: transfer.attempts + 1,
        nextActionAt: new Date(at.getTime() + (isUnknownThere ? 0 : backoffMs(transfer.attempts, deps.payoutCheckMs))),
        calls: log.calls,
      }),
    ),
    !(isUnknownThere && options.isRetry),
  );
}

function isPastGrace(deps: SagaDeps, payout: PayoutRow, at: Date): boolean {
  return at.getTime() - (payout.submitted_at ?? payout.created_at).getTime() > deps.payoutGraceMs;
}

function changeTo(payout: PayoutRow, state: PayoutState) {
  return { id: payout.id, state, reference: null, failureCode: null, submissions: 0 };
}

function recorder(deps: SagaDeps, transfer: TransferRow, payout: BegunPayout) {
  const calls: IntegrationLog[] = [];
  const record = (call: ProviderCall) => {
    calls.push(toLog(call, { transferId: transfer.id, payoutId: payout.id }, deps.now()));
  };
  return { calls, record };
}

function stepTaken(transfer: TransferRow | undefined, waits: boolean): StepResult {
  return transfer && { transfer, waits };
}
