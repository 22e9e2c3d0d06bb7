import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { PayoutRow, TransferRow } from '#db/schema.ts';
import { evidenceOfReport } from '#payouts/evidence.ts';
import { type Misfit, misfitOf } from '#payouts/payout.domain.ts';
import { isReportKnown, openException, type PayoutOfTransfer, resolveHolds } from '#payouts/payout.store.ts';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { explainFailure } from './explain-failure.ts';
import { holdForDecision } from './hold-for-decision.ts';
import { noteOf, type SagaDeps, take, transitionOf } from './step.ts';
import { backoffMs } from './transfer.domain.ts';

interface ReportToApply {
  transfer: TransferRow;
  payout: PayoutRow;
  report: PayoutReport;
  calls: IntegrationLog[];
  /** True when the report answers our inquiry, false when it came in a callback. */
  isInquiry: boolean;
}

/**
 * Applies a provider's report of a payout, from a callback or an inquiry. The first final state wins. A report that
 * contradicts it, or whose figures differ from ours, opens an exception and moves no money; an open transfer then waits
 * for an administrator to decide its outcome. A callback that an open payout failed, or that ends it without all figures,
 * proves nothing: the provider is asked, and if its answer lacks the figures too, an exception is opened. A failure with
 * an undocumented code proves nothing either, so a status answer with one opens an exception: the payout could stay open
 * for ever. A report that the payout is under way resolves its exception `lost_by_provider` or `unknown_failure`. Returns
 * the transfer after the change, or undefined when another process changed it first.
 */
async function applyReport(deps: SagaDeps, input: ReportToApply): Promise<TransferRow | undefined> {
  const { transfer, payout, report, calls, isInquiry } = input;
  const at = deps.now();
  const isOpen = transfer.step === 'paying_out';
  const misfit = misfitOf(payout, report);
  if (isOpen && !isInquiry && (misfit === 'missing_figures' || report.state === 'failed'))
    return take(deps, noteOf(transfer, at, { payout: acknowledged(payout), nextActionAt: at, calls }));
  const kind = await objectionTo(deps, input, misfit);
  if (kind) {
    deps.logger.error({ transferId: transfer.id, payoutId: payout.id, kind }, 'a report contradicts our books');
    const isNoted = await raise(deps, input, { kind, details: { ...report }, at });
    if (!isNoted) return undefined;
  }
  if (!isOpen) return transfer;
  if (misfit)
    return take(deps, noteOf(transfer, at, { payout: acknowledged(payout), ...later(deps, transfer, at), calls }));

  const change = {
    ...acknowledged(payout),
    state: report.state,
    reference: report.providerReference ?? null,
    failureCode: report.failure?.code ?? null,
    // A provider that reports on the payout has received it, even if our own note of the request is committed later.
    submissions: payout.submissions === 0 ? 1 : 0,
  };
  if (report.state === 'completed') {
    return take(deps, transitionOf(transfer, { type: 'payout_completed' }, at, { payout: change, calls }));
  }
  if (report.state === 'failed') {
    const failure = report.failure ?? { code: 'UNSPECIFIED_FAILURE', class: 'unspecified' as const };
    const event = { type: 'payout_failed' as const, code: failure.code, reason: explainFailure(failure) };
    return take(deps, transitionOf(transfer, event, at, { payout: change, calls }));
  }
  // Before the step: a decision that the money returns would now contradict what the provider says.
  const kinds = report.state === 'unknown' ? ['lost_by_provider'] : ['lost_by_provider', 'unknown_failure'];
  await resolveHolds(deps.db, payout.id, {
    kinds,
    note: `The provider now reports the payout: ${report.state}.`,
    at,
  });
  return take(deps, noteOf(transfer, at, { payout: change, ...later(deps, transfer, at), calls }));
}

const MAX_TRIES = 10;

/** A report as it arrived, with the calls that brought it. */
interface Arrived extends Pick<ReportToApply, 'report' | 'isInquiry'> {
  /** The same calls on every try, so that they are recorded once. */
  callsOf(found: PayoutOfTransfer): IntegrationLog[];
}

/**
 * Applies a report to its payout as it is by now: another process may change it meanwhile, and the report may contradict
 * an administrator's decision. `known` is the payout as the caller has just read it. Returns undefined for an unknown
 * payout. Throws if the transfer keeps changing.
 */
export async function applyToCurrent(
  deps: SagaDeps,
  { report, isInquiry, callsOf }: Arrived,
  known?: PayoutOfTransfer,
): Promise<{ transfer: TransferRow; isLate: boolean } | undefined> {
  const apply = async (found: PayoutOfTransfer) => {
    const calls = callsOf(found);
    const transfer = await applyReport(deps, { ...found, report, calls, isInquiry });
    const isLate = transfer === found.transfer;
    if (isLate) await deps.lateCalls.submit(calls);
    return transfer && { transfer, isLate };
  };
  return changeCurrent(deps, report.clientPayoutId, apply, known);
}

/**
 * Repeats a change with the payout as it is by now, until no other process changes the transfer first: then `change`
 * returns something. Returns undefined for an unknown payout. Throws if the transfer keeps changing.
 */
export async function changeCurrent<Changed>(
  { payoutsById }: SagaDeps,
  payoutId: string,
  change: (found: PayoutOfTransfer) => Promise<Changed | undefined>,
  known?: PayoutOfTransfer,
): Promise<Changed | undefined> {
  let found = known ?? (await payoutsById.submit(payoutId));
  for (let attempt = 0; found && attempt < MAX_TRIES; attempt++) {
    const changed = await change(found);
    if (changed !== undefined) return changed;
    found = await payoutsById.submit(payoutId);
  }
  if (!found) return undefined;
  throw new Error(`the payout ${payoutId} could not be changed: its transfer keeps changing`);
}

/**
 * Notes that the provider has the payout, if the transfer still waits for it: another process has changed the transfer
 * meanwhile, and may be about to fail it because the provider does not know the payout. Throws if it keeps changing.
 */
export async function acknowledge(deps: SagaDeps, payoutId: string): Promise<void> {
  await changeCurrent(deps, payoutId, async ({ transfer, payout }) => {
    if (transfer.step !== 'paying_out' || payout.is_acknowledged) return transfer;
    return take(deps, noteOf(transfer, deps.now(), { payout: acknowledged(payout) }));
  });
}

/** The payout as it is, but acknowledged: a provider that reports on a payout has it. */
const acknowledged = ({ id, state, failure_code: failureCode }: PayoutRow) => ({
  id,
  state,
  reference: null,
  failureCode,
  submissions: 0,
  isAcknowledged: true,
});

/** Opens the exception. Returns false if the transfer has changed since it was read, and may no longer need it. */
async function raise(
  deps: SagaDeps,
  { transfer, payout, report }: ReportToApply,
  raised: { kind: string; details: Record<string, unknown>; at: Date },
): Promise<boolean> {
  const objection = { ...raised, evidence: evidenceOfReport(report) };
  if (transfer.step === 'paying_out') return holdForDecision(deps, { transfer, payout }, objection);
  await openException(deps.db, { payoutId: payout.id, transactionId: payout.transaction_id, ...objection });
  return true;
}

/**
 * The kind of exception to open, if any. Once the payout has ended, a report that does not contradict the outcome need
 * not have figures.
 */
async function objectionTo({ db }: SagaDeps, input: ReportToApply, misfit: Misfit | null) {
  const { transfer, payout, report } = input;
  const isUnclear = input.isInquiry && report.unknownFailure !== undefined;
  if (transfer.step === 'paying_out') return misfit ?? (isUnclear ? 'unknown_failure' : null);
  if (!contradicts(payout, report)) return misfit === 'missing_figures' ? null : misfit;
  // The administrator's decision may have rejected this very report; any other report contradicts the decision.
  const isKnown = misfit !== null && (await isReportKnown(db, payout.id, misfit, report));
  return isKnown ? misfit : 'contradicting_outcome';
}

function contradicts(payout: PayoutRow, report: PayoutReport): boolean {
  const ours = payout.state;
  return (ours === 'completed' && report.state === 'failed') || (ours === 'failed' && report.state === 'completed');
}

function later(deps: SagaDeps, transfer: TransferRow, at: Date) {
  const waitMs = backoffMs(transfer.attempts, deps.payoutCheckMs);
  return { attempts: transfer.attempts + 1, nextActionAt: new Date(at.getTime() + waitMs) };
}
