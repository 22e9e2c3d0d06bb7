import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { TransferStatus } from '@vuka/contracts/http/transfers';
import type { WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import { CALLS_RECORDED } from '@vuka/contracts/messages/integration-log';
import { type Note, noteText } from '@vuka/contracts/texts/transfer-notes';
import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { uuidv7 } from '@vuka/service-kit/ids';
import { insertPack, type MessageOfRow, type OutboxMessage, packOf } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import type { PayoutState } from '#db/states.ts';
import type { Allowance } from '#limits/limits.domain.ts';
import type { TransferState } from './transfer.domain.ts';
import type { Written } from './transfer.store.ts';
import { stateColumnsOf } from './transfer-state.ts';

interface NewPayout {
  id: string;
  provider: string;
  description: string;
  msisdn: string;
  requestBody: string;
  /** The place of the books, as this process knows it. Elsewhere the step is not taken. */
  place: string;
}

interface PayoutChange {
  id: string;
  state: PayoutState;
  reference: string | null;
  failureCode: string | null;
  /** How many requests this adds to the number sent. */
  submissions: number;
}

/**
 * An administrator's decision on a withdrawal. `approved` lets it proceed; `closed` ends it, with the reference under
 * which it was paid.
 */
interface WithdrawalDecision {
  kind: 'approved' | 'closed';
  adminId: string;
  reference?: string;
}

/** One step of one transfer, written completely or not at all. */
export interface Transition {
  /** The transfer as read; the step is taken only if the transfer has not changed since. */
  from: TransferRow;
  to: TransferState;
  lifecycle: { status: TransferStatus; note: Note }[];
  messages: OutboxMessage[];
  /**
   * When the sweep looks at it again; null if it should not. Written by the database's clock, `nextActionAt - at` from now:
   * otherwise nobody would look for as long as this process's clock is ahead.
   */
  nextActionAt: Date | null;
  attempts: number;
  recipient?: { userId: string; name: string };
  /** The recipient's allowance, against which the amount is counted. */
  received?: Allowance;
  newPayout?: NewPayout;
  payout?: PayoutChange;
  isPaymentToMerchant?: boolean;
  /** The withdrawal's new status; null to leave it unchanged. */
  withdrawalStatus?: WithdrawalStatus | null;
  decision?: WithdrawalDecision;
  /** When it resumed after waiting for a person. */
  resumedAt?: Date;
  calls: IntegrationLog[];
  at: Date;
}

/**
 * Commits steps of many transfers in one statement. Returns, in order, whether each was taken; false when the transfer
 * has changed since it was read. Of two steps of one transfer in a batch, only the first is taken.
 */
export async function commitTransitions(db: Db, transitions: Transition[]): Promise<Written> {
  const first = new Map<string, Transition>();
  for (const transition of transitions) {
    if (!first.has(transition.from.id)) first.set(transition.from.id, transition);
  }
  const calls = callsMessage(transitions);
  // Always in id order, so that two batches cannot deadlock on each other's rows.
  const inOrder = [...first.values()].sort((a, b) => (a.from.id < b.from.id ? -1 : 1));
  const packId = uuidv7();
  const messages: MessageOfRow[] = [
    ...inOrder.flatMap(({ from, messages: sent }) => sent.map((message) => ({ rowId: from.id, message }))),
    ...calls.map((message) => ({ rowId: null, message })),
  ];
  const moved = await write(db, inOrder, { packId, messages });
  const isTaken = ({ from }: Transition) => moved.has(from.id);
  return {
    done: transitions.map((transition) => isTaken(transition) && first.get(transition.from.id) === transition),
    pack: packOf(packId, messages, moved),
  };
}

/** Calls are recorded even when the step was not taken, because they were made. */
function callsMessage(transitions: Transition[]): OutboxMessage[] {
  const calls = transitions.flatMap((transition) => transition.calls);
  if (calls.length === 0) return [];
  const envelope = cloudEvent({ source: '/vuka/transfers', type: CALLS_RECORDED, data: { calls } });
  return [{ exchange: EVENTS, envelope }];
}

async function write(
  db: Db,
  transitions: Transition[],
  { packId, messages }: { packId: string; messages: MessageOfRow[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with change as (${changesOf(transitions)}),
      moved as (${MOVE_TRANSFERS}),
      lifecycle as (${addLifecycle(transitions)}),
      begun as (${BEGIN_PAYOUTS}),
      payouts as (${UPDATE_PAYOUTS}),
      paid as (${ADD_PAYMENTS}),
      withdrawn as (${UPDATE_WITHDRAWALS}),
      ${countsOf(transitions)}
      sent as (${insertPack(packId, messages, 'moved')})
    select id from moved`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The parts that change counts; most batches need neither. */
function countsOf(transitions: Transition[]) {
  const hasFailed = transitions.some(({ to }) => to.step === 'failed' || to.step === 'cancelled');
  const isReceived = transitions.some(({ received }) => received !== undefined);
  return sql`${hasFailed ? sql`given_back as (${GIVE_BACK}),` : sql``}
      ${isReceived ? sql`received as (${COUNT_RECEIVED}),` : sql``}`;
}

/** One row per transition, with the columns of `toChange`. Every later part of the statement reads it. */
const changesOf = (transitions: Transition[]) => sql`
  select * from json_to_recordset(${JSON.stringify(transitions.map(toChange))}) as c(
    id uuid, version integer, step text, status text, waiting_reason text, error_code text, error_message text, failure jsonb,
    next_action_at timestamptz, keeps_schedule boolean, attempts integer, recipient_user_id uuid, recipient_name text, at timestamptz,
    new_payout_id uuid, place text, provider text, description text, msisdn text, request_body text,
    payout_id uuid, payout_state text, payout_reference text, payout_failure text, submissions integer,
    payment_id uuid, resumed_at timestamptz, in_day date, in_month date, in_day_allowed bigint, in_month_allowed bigint,
    is_withdrawal boolean, withdrawal_status text, decision text, admin_id text, paid_reference text, response_data jsonb)`;

/**
 * Skips a transfer that has changed since it was read or has ended, and with it everything that belongs to its step;
 * and a payout that would be begun in another epoch of the books than the one that its process knows.
 */
const MOVE_TRANSFERS = sql`
  update transactions t set
    step = c.step, status = c.status, waiting_reason = c.waiting_reason, error_code = c.error_code,
    error_message = c.error_message, failure = c.failure, attempts = c.attempts,
    next_action_at = case when c.keeps_schedule then t.next_action_at else c.next_action_at + (books_now() - c.at) end,
    recipient_user_id = coalesce(c.recipient_user_id, t.recipient_user_id),
    recipient_name = coalesce(c.recipient_name, t.recipient_name),
    resumed_at = coalesce(c.resumed_at, t.resumed_at),
    is_open = c.status in ('PENDING', 'PROCESSING'), version = t.version + 1, updated_at = c.at
  from change c where t.id = c.id and t.version = c.version and t.is_open
    and (c.new_payout_id is null
      or c.place = (select place from books_epoch where place = books_place()))
  returning t.id, t.user_id, t.target_amount, t.target_currency, t.recipient_user_id, t.transaction_type, t.status,
    t.source_amount, t.source_currency, t.created_at`;

function addLifecycle(transitions: Transition[]) {
  const rows = transitions.flatMap(({ from, lifecycle, at }) =>
    lifecycle.map(({ status, note }) => ({ id: from.id, status, notes: noteText(note), codes: note, at })),
  );
  return sql`
    insert into transaction_lifecycle (transaction_id, status, notes, codes, "timestamp")
    select l.id, l.status, l.notes, l.codes, l.at
    from json_to_recordset(${JSON.stringify(rows)}) as l(id uuid, status text, notes text, codes jsonb, at timestamptz)
    join moved using (id)`;
}

const BEGIN_PAYOUTS = sql`
  insert into money_transfers (id, user_id, transaction_id, provider, description, destination_account, status,
    state, amount, currency, request_body, created_at, updated_at)
  select c.new_payout_id, m.user_id, m.id, c.provider, c.description, c.msisdn, 'PENDING',
    'submitting', m.target_amount, m.target_currency, c.request_body, books_now(), c.at
  from change c join moved m using (id) where c.new_payout_id is not null`;

const UPDATE_PAYOUTS = sql`
  update money_transfers p set
    state = c.payout_state, transfer_reference = coalesce(c.payout_reference, p.transfer_reference),
    status = case c.payout_state when 'completed' then 'COMPLETED' when 'failed' then 'FAILED' else 'PENDING' end,
    is_alive = c.payout_state <> 'failed', failure_code = c.payout_failure, submissions = p.submissions + c.submissions,
    submitted_at = case when c.submissions > 0 then books_now() else p.submitted_at end,
    updated_at = c.at
  from change c join moved m using (id) where p.id = c.payout_id`;

const ADD_PAYMENTS = sql`
  insert into payments (id, transaction_id, sender_id, recipient_id, description, status, reference, created_at)
  select c.payment_id, m.id, m.user_id, m.recipient_user_id, 'Transfer to a merchant', 'completed', m.id::text, c.at
  from change c join moved m using (id) where c.payment_id is not null`;

const UPDATE_WITHDRAWALS = sql`
  update withdrawals w set
    status = coalesce(c.withdrawal_status, w.status), updated_at = c.at,
    approved_by = case c.decision when 'approved' then c.admin_id else w.approved_by end,
    approved_at = case c.decision when 'approved' then c.at else w.approved_at end,
    closed_by = case c.decision when 'closed' then c.admin_id else w.closed_by end,
    closed_at = case c.decision when 'closed' then c.at else w.closed_at end,
    provider_id = coalesce(c.provider, case when c.paid_reference is not null then 'bank' end, w.provider_id),
    provider_reference_id = coalesce(c.paid_reference, c.payout_reference, w.provider_reference_id),
    provider_status = coalesce(c.payout_state, w.provider_status),
    provider_response_data = coalesce(c.response_data, w.provider_response_data),
    provider_timestamp = case when c.payout_state is not null or c.paid_reference is not null then c.at
      else w.provider_timestamp end
  from change c join moved m using (id) where c.is_withdrawal and w.transaction_id = m.id`;

/** A transfer that failed, or was cancelled, no longer counts for the day and the month in which it was ordered. */
const GIVE_BACK = sql`
  update limit_usage used set
    day_amount = greatest(0, day_amount - case when used.day = back.day then back.of_day else 0 end),
    month_amount = greatest(0, month_amount - case when used.month = back.month then back.of_month else 0 end)
  from (
    select ended.user_id, source_currency, newest.day, newest.month,
      coalesce(sum(source_amount) filter (where ordered_at::date = newest.day), 0) as of_day,
      coalesce(sum(source_amount) filter (where date_trunc('month', ordered_at) = newest.month), 0) as of_month
    from (
      select user_id, source_currency, source_amount, created_at at time zone 'UTC' + interval '3 hours' as ordered_at
      from moved where status in ('FAILED', 'CANCELLED') and transaction_type in ('transfer', 'withdrawal')
    ) ended
    join limit_usage newest
      on newest.user_id = ended.user_id and newest.currency = source_currency and newest.side = 'out'
    group by ended.user_id, source_currency, newest.day, newest.month order by ended.user_id, source_currency
  ) back
  where used.user_id = back.user_id and used.currency = back.source_currency and used.side = 'out'`;

/** What a merchant here receives, counted when the transfer is on its way to their wallet. */
const COUNT_RECEIVED = sql`
  insert into limit_usage as used (
    user_id, currency, side, day, day_amount, day_allowed, month, month_amount, month_allowed)
  select m.recipient_user_id, m.target_currency, 'in', c.in_day, sum(m.target_amount), max(c.in_day_allowed),
    c.in_month, sum(m.target_amount), max(c.in_month_allowed)
  from change c join moved m using (id) where c.in_day is not null
  group by m.recipient_user_id, m.target_currency, c.in_day, c.in_month order by 1, 2
  on conflict (user_id, currency, side) do update set
    day = greatest(used.day, excluded.day),
    day_amount = excluded.day_amount + case when used.day >= excluded.day then used.day_amount else 0 end,
    day_allowed = excluded.day_allowed,
    month = greatest(used.month, excluded.month),
    month_amount = excluded.month_amount + case when used.month >= excluded.month then used.month_amount else 0 end,
    month_allowed = excluded.month_allowed`;

function toChange(transition: Transition) {
  const { from, to, newPayout, payout, recipient, received } = transition;
  return {
    id: from.id,
    version: from.version,
    ...stateColumnsOf(to),
    next_action_at: transition.nextActionAt,
    keeps_schedule: transition.nextActionAt !== null && transition.nextActionAt === from.next_action_at,
    attempts: transition.attempts,
    recipient_user_id: recipient?.userId,
    recipient_name: recipient?.name,
    at: transition.at,
    new_payout_id: newPayout?.id,
    place: newPayout?.place,
    provider: newPayout?.provider,
    description: newPayout?.description,
    msisdn: newPayout?.msisdn,
    request_body: newPayout?.requestBody,
    payout_id: payout?.id,
    payout_state: payout?.state,
    payout_reference: payout?.reference,
    payout_failure: payout?.failureCode,
    submissions: payout?.submissions,
    // Each transfer has at most one payment, so they share an id.
    payment_id: transition.isPaymentToMerchant ? from.id : undefined,
    resumed_at: transition.resumedAt,
    in_day: received?.day,
    in_month: received?.month,
    in_day_allowed: received && String(received.perDay),
    in_month_allowed: received && String(received.perMonth),
    ...(from.transaction_type === 'withdrawal' ? toWithdrawalChange(transition) : {}),
  };
}

function toWithdrawalChange({ withdrawalStatus, decision, calls }: Transition) {
  return {
    is_withdrawal: true,
    withdrawal_status: withdrawalStatus,
    decision: decision?.kind,
    admin_id: decision?.adminId,
    paid_reference: decision?.reference,
    response_data: calls.at(-1)?.responseBody,
  };
}
