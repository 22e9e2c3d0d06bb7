import type { PayoutState } from '#db/states.ts';
import { isOperatorsToMend } from '#payouts/payout.domain.ts';
import type { PayoutFailure, StatusResult, SubmitResult } from '#payouts/payout-provider.ts';

// The rules of paying exactly once: when a payout has failed, is sent again, or is asked about.

/**
 * The failure that the answer to a request proves: only the refusal of a first request, which nothing has repeated. What
 * the operator can mend, such as an empty float, ends no payout.
 */
export function failureOfRequest(result: SubmitResult, isFirst: boolean): PayoutFailure | undefined {
  const isProof = result.kind === 'rejected' && isFirst && !isOperatorsToMend(result.failure);
  return isProof ? result.failure : undefined;
}

/** Only an acceptance or a report leads to these, also in rows of the release before, which did not note it separately. */
const ACKNOWLEDGED: ReadonlySet<PayoutState> = new Set(['accepted', 'enqueued', 'processing', 'reconciling']);

/** Whether the provider has ever said that it has the payout. */
export function wasAcknowledged(payout: { is_acknowledged: boolean; state: PayoutState }): boolean {
  return payout.is_acknowledged || ACKNOWLEDGED.has(payout.state);
}

/** Whether the payout's next step is a request: the provider may not have it yet, so there is nothing to ask about. */
export function isToBeSent(payout: { is_acknowledged: boolean; state: PayoutState }): boolean {
  return payout.state === 'submitting' && !wasAcknowledged(payout);
}

/**
 * Whether the provider has created nothing: each request was counted, and either none reached it, or only the first one,
 * which it refused for a reason that the operator can end.
 */
export function isUnsent(
  payout: Parameters<typeof isToBeSent>[0] & { is_counted: boolean; submissions: number; failure_code: string | null },
): boolean {
  const isRefusedOnce = payout.submissions === 1 && payout.failure_code !== null;
  return isToBeSent(payout) && payout.is_counted && (payout.submissions === 0 || isRefusedOnce);
}

/** Whether the answer says that the provider has the payout. */
export function acknowledges(result: SubmitResult): boolean {
  return result.kind === 'accepted' || result.kind === 'duplicate';
}

/** The provider's code for a refusal, known or not; null after any other answer. */
export function refusalCodeOf(result: SubmitResult): string | null {
  if (result.kind === 'rejected') return result.failure.code;
  return result.kind === 'ambiguous' ? (result.unknownFailure ?? null) : null;
}

/** A payout's state after a request that proved no failure. */
export function stateAfter(result: SubmitResult, isFirst: boolean): PayoutState {
  if (result.kind === 'accepted') return result.state;
  if (result.kind === 'not_sent') return 'submitting';
  // A refused first request created nothing, so it may be sent again. Any other result must be resolved by an inquiry.
  return result.kind === 'rejected' && isFirst ? 'submitting' : 'unknown';
}

/** How many requests the result adds to those counted. A repeat was counted before it was sent. */
export function sentBy(result: SubmitResult, isFirst: boolean): number {
  if (result.kind === 'not_sent') return isFirst ? 0 : -1;
  return isFirst ? 1 : 0;
}

/** What is known when an inquiry has not found a payout. */
interface NotFoundFacts {
  result: Exclude<StatusResult, { kind: 'found' }>;
  /** The provider has said before that it has the payout. */
  isAcknowledged: boolean;
  /** The refusal of an earlier request, if there was one. */
  refused: PayoutFailure | undefined;
  /** The last request was refused with a code that proves nothing. */
  isRefusedUnclearly: boolean;
  /** No request can still be in flight. */
  isPastGrace: boolean;
  /**
   * The last request was sent more than a grace time after the first: by then the provider knew the first, if it had arrived.
   */
  wasSentLate: boolean;
  /** An administrator asked for it. */
  isRetry: boolean;
}

/**
 * What follows an inquiry that did not find the payout. `fail`: a request sent after the grace time of the first one
 * was refused, and the provider still does not know the payout after another grace time. A repeat that was sent sooner,
 * by a worker that replaced one that died, may have been refused while the first request was still on its way.
 * `send_again`: under the same id and with the same body, so that at most one request is paid. A payout that the provider
 * has acknowledged neither fails here nor is sent again, not even by a retry: a provider that has lost it may pay it all
 * the same, and may not recognise the repeat. `hold`: after the grace time an administrator decides its outcome, and
 * that of a payout whose late request was refused with a code that proves nothing: it would be sent again for ever.
 */
export function afterNotFound({
  result,
  isAcknowledged,
  refused,
  isRefusedUnclearly,
  isPastGrace,
  wasSentLate,
  isRetry,
}: NotFoundFacts): 'fail' | 'send_again' | 'ask_again' | 'hold' {
  if (result.kind !== 'not_found') return 'ask_again';
  if (isAcknowledged) return isPastGrace ? 'hold' : 'ask_again';
  const isMendable = refused !== undefined && isOperatorsToMend(refused);
  if (isPastGrace && wasSentLate && refused && !isMendable) return 'fail';
  if (isPastGrace && wasSentLate && isRefusedUnclearly) return 'hold';
  return isPastGrace || isRetry || isMendable ? 'send_again' : 'ask_again';
}
