import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { EVENTS } from '@vuka/contracts/topology';
import type { Batcher } from '@vuka/service-kit/batcher';
import type { Logger } from '@vuka/service-kit/logger';
import type { OutboxMessage } from '@vuka/service-kit/outbox';
import type { IdentityClient } from '#clients/identity.client.ts';
import type { WalletClient } from '#clients/wallet.client.ts';
import type { Db, PayoutRow, TransferRow } from '#db/schema.ts';
import type { LimitCopy } from '#limits/limit.store.ts';
import type { Books } from '#payouts/books-epoch.ts';
import type { PayoutOfTransfer, PayoutOnRecord } from '#payouts/payout.store.ts';
import type { PayoutProvider } from '#payouts/payout-provider.ts';
import type { Lease } from './lease.ts';
import type { AcceptedHere, OrdersAcceptedHere } from './orders-accepted-here.ts';
import {
  describeEvent,
  evolve,
  isFinal,
  statusOf,
  type TransferEvent,
  waitingReasonOf,
  waitsForPerson,
} from './transfer.domain.ts';
import { changedEvent } from './transfer-events.ts';
import { stateColumnsOf, stateOf } from './transfer-state.ts';
import type { Transition } from './transition.store.ts';
import { statusAfter, withdrawalFactsOf } from './withdrawal.domain.ts';

/**
 * The dependencies of a transfer's steps. The batchers let many transfers share one statement, while each step is
 * written as if for one.
 */
export interface SagaDeps {
  db: Db;
  limits: LimitCopy;
  wallet: WalletClient;
  identity: IdentityClient;
  provider: PayoutProvider;
  books: Books;
  transfers: Batcher<string, TransferRow | undefined>;
  acceptedHere: OrdersAcceptedHere;
  payouts: Batcher<string, PayoutOnRecord | undefined>;
  payoutsById: Batcher<string, PayoutOfTransfer | undefined>;
  transitions: Batcher<Transition, boolean>;
  /** Like `transitions`, for notes that no caller waits for. */
  notes: Batcher<Transition, boolean>;
  /** Records calls about payouts that have ended; there are many of these when an inquiry was faster than a callback. */
  lateCalls: Batcher<IntegrationLog[], undefined>;
  logger: Logger;
  now: () => Date;
  /** How long to wait before a payout that the provider does not know is sent again or failed, ms. */
  payoutGraceMs: number;
  /** The wait before the first status inquiry, ms. */
  payoutCheckMs: number;
}

export type StepExtras = Partial<Omit<Transition, 'from' | 'to' | 'news' | 'messages' | 'withdrawalStatus' | 'at'>> & {
  /** Published together with the step's own event. */
  commands?: OutboxMessage[];
};

/**
 * Builds the transition that an event causes, ready to be committed. The event message names `extras.recipient` if set.
 */
export function transitionOf(
  transfer: TransferRow,
  event: TransferEvent,
  at: Date,
  extras: StepExtras = {},
): Transition {
  const before = stateOf(transfer);
  const to = evolve(before, event);
  const status = statusOf(to);
  const hasNewStatus = status !== statusOf(before);
  const hasNews = hasNewStatus || waitingReasonOf(to) !== waitingReasonOf(before) || to.step !== before.step;
  const viewed = extras.recipient ? { ...transfer, recipient_user_id: extras.recipient.userId } : transfer;
  const messages: OutboxMessage[] = hasNewStatus ? [{ exchange: EVENTS, envelope: changedEvent(viewed, to, at) }] : [];
  return {
    from: transfer,
    to,
    news: hasNews ? { status, note: describeEvent(event) } : null,
    messages: [...messages, ...(extras.commands ?? [])],
    nextActionAt: isFinal(to) || waitsForPerson(to) ? null : new Date(at.getTime() + NEXT_ACTION_MS),
    attempts: 0,
    calls: [],
    ...withdrawalChange(transfer, to, extras),
    ...extras,
    at,
  };
}

/** The change to a withdrawal when its transfer takes a step. */
function withdrawalChange(transfer: TransferRow, to: Transition['to'], { payout }: StepExtras) {
  const facts = withdrawalFactsOf(transfer);
  if (!facts) return {};
  const step = { before: transfer.step, after: to.step, payoutState: payout?.state };
  return { withdrawalStatus: statusAfter({ ...step, requiresApproval: facts.requiresApproval }) };
}

/**
 * How soon the sweep looks at a transfer whose step sets no time of its own, ms. Longer than one exchange with the
 * provider: if a request is repeated while it is in progress, its refusal no longer proves failure.
 */
export const NEXT_ACTION_MS = 15_000;

/** Like `transitionOf`, for changes that publish nothing: a new time for the next attempt, or news of a payout. */
export function noteOf(transfer: TransferRow, at: Date, extras: Omit<StepExtras, 'commands'>): Transition {
  return {
    from: transfer,
    to: stateOf(transfer),
    news: null,
    messages: [],
    nextActionAt: transfer.next_action_at,
    attempts: transfer.attempts,
    calls: [],
    ...withdrawalChange(transfer, stateOf(transfer), extras),
    ...extras,
    at,
  };
}

/** The row after a committed transition. */
export function afterTransition(transition: Transition): TransferRow {
  const { from, to, recipient } = transition;
  return {
    ...from,
    is_open: !isFinal(to),
    ...stateColumnsOf(to),
    next_action_at: transition.nextActionAt,
    attempts: transition.attempts,
    recipient_user_id: recipient?.userId ?? from.recipient_user_id,
    recipient_name: recipient?.name ?? from.recipient_name,
    version: from.version + 1,
    updated_at: transition.at,
    resumed_at: transition.resumedAt ?? from.resumed_at,
  };
}

/**
 * Commits a step. Returns the transfer after it, or undefined when another process changed the transfer first, or when
 * the step was decided for books in another place, which this process knows from then on.
 */
export async function take(deps: SagaDeps, transition: Transition): Promise<TransferRow | undefined> {
  if (await deps.transitions.submit(transition)) return afterTransition(transition);
  if (transition.place !== undefined) await deps.books.renew();
  return undefined;
}

export interface AdvanceOptions {
  /** Set by an administrator's retry: ask the provider now, and resend a payout that it does not know at once. */
  isRetry?: boolean;
  /** The request for the hold of an order that this process has just accepted. */
  hold?: AcceptedHere['hold'];
}

/** The parts of a payout that a request to the provider needs. */
export type BegunPayout = Pick<PayoutRow, 'id' | 'request_body'> & {
  /** Once true, nothing is sent: another process may have decided on the payout meanwhile. */
  isTooLate: Lease;
};

/** The transfer after a step, or undefined when another process changed it and it must be read again. */
export type StepResult = { transfer: TransferRow; waits: boolean; begun?: BegunPayout } | undefined;

/** The result of a step that may not have been committed. `waits`: the next step needs an answer from outside. */
export function stepTaken(transfer: TransferRow | undefined, waits = false): StepResult {
  return transfer && { transfer, waits };
}
