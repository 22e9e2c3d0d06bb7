import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { TransferStatus } from '@vuka/contracts/http/transfers';
import type { WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import { CALLS_RECORDED } from '@vuka/contracts/messages/integration-log';
import { type Note, noteText } from '@vuka/contracts/texts/transfer-notes';
import { EVENTS } from '@vuka/contracts/topology';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { uuidv7 } from '@vuka/service-kit/ids';
import { insertPack, type MessageOfRow, type OutboxMessage, packOf } from '@vuka/service-kit/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import type { PayoutState } from '#db/states.ts';
import { countedDay, countedMonth } from '#limits/counted-day.ts';
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
  /** Each of its requests is counted before it is sent. */
  isCounted: boolean;
  /** The provider has it from lost books. */
  isAcknowledged: boolean;
}

interface PayoutChange {
  id: string;
  state: PayoutState;
  reference: string | null;
  failureCode: string | null;
  /** How many requests this adds to the number sent. */
  submissions: number;
  /** Set once the provider has said that it has the payout. It is never unset. */
  isAcknowledged?: boolean;
  /** Set once every request that may have been sent is counted. It is never unset. */
  isCounted?: boolean;
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
  /** What its timeline says of the step; null if nothing. */
  news: { status: TransferStatus; note: Note } | null;
  messages: OutboxMessage[];
  /**
   * When the sweep looks at the transfer again; null if it should not. Stored as now by the database's clock plus
   * `nextActionAt - at`: otherwise a process whose clock is ahead would postpone the sweep by as much.
   */
  nextActionAt: Date | null;
  attempts: number;
  recipient?: { userId: string; name: string };
  /** The recipient's allowance, against which the amount is counted. */
  received?: Allowance;
  newPayout?: NewPayout;
  payout?: PayoutChange;
  /** The place of the books for which the step was decided. It is not taken if the books are elsewhere. */
  place?: string;
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
  const { rows } = await moveAll(inOrder, { packId, messages }).execute(db);
  const moved = new Set(rows.map(({ id }) => id));
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

/** The statement of `commitTransitions`; returns the ids of the transfers that moved. */
export const moveAll = (
  transitions: Transition[],
  { packId, messages }: { packId: string; messages: MessageOfRow[] },
): RawBuilder<{ id: string }> => sql`
  with change as (${changesOf(transitions)}),
    moved as (${MOVE_TRANSFERS}),
    ${partsFor(transitions)}
    sent as (${insertPack(packId, messages, 'moved')})
  select id from moved`;

/** One row per transition, with the columns of `toChange`. */
const changesOf = (transitions: Transition[]) => sql`
  select c.*, ${countedDay('clock_in_day')} as in_day, ${countedMonth('clock_in_month')} as in_month
  from json_to_recordset(${JSON.stringify(transitions.map(toChange))}) as c(
    id uuid, version integer, step text, status text, waiting_reason text, error_code text, error_message text, failure jsonb,
    next_action_at timestamptz, keeps_schedule boolean, attempts integer, recipient_user_id uuid, recipient_name text, at timestamptz,
    new_payout_id uuid, place text, provider text, description text, msisdn text, request_body text, new_payout_counted boolean,
    payout_id uuid, payout_state text, payout_reference text, payout_failure text, submissions integer, acknowledged boolean, counted boolean,
    payment_id uuid, resumed_at timestamptz, clock_in_day date, clock_in_month date, in_day_allowed bigint, in_month_allowed bigint,
    is_withdrawal boolean, withdrawal_status text, decision text, admin_id text, paid_reference text, response_data jsonb,
    news_status text, news text, news_codes jsonb)`;

/**
 * Skips a transfer, with everything that belongs to its step, if it has changed since it was read, if it has ended, or
 * if its step was decided for books in another place. Returns the changes of the other transfers, so that the parts below
 * need no join of the two, which would compare every transition with every other.
 *
 * Not `t.is_open`: if few transfers are open at a vacuum, the planner reads all of them through their partial index and
 * compares each with each change. Under load a thousand are open, and a step took five times as long.
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
  from change c where t.id = c.id and t.version = c.version and t.status in ('PENDING', 'PROCESSING')
    and (c.place is null or c.place = (select place from books_epoch where place = books_place()))
  returning c.*, t.user_id, t.transaction_type, t.source_amount, t.source_currency, t.target_amount, t.target_currency,
    t.created_at, t.recipient_user_id as payee_id`;

const ADD_LIFECYCLE = sql`
  insert into transaction_lifecycle (transaction_id, status, notes, codes, "timestamp")
  select id, news_status, news, news_codes, at from moved where news_status is not null`;

const BEGIN_PAYOUTS = sql`
  insert into money_transfers (id, user_id, transaction_id, provider, description, destination_account, status,
    state, amount, currency, request_body, is_counted, is_acknowledged, created_at, updated_at)
  select new_payout_id, user_id, id, provider, description, msisdn, 'PENDING',
    'submitting', target_amount, target_currency, request_body, new_payout_counted, acknowledged is true, books_now(), at
  from moved where new_payout_id is not null`;

const UPDATE_PAYOUTS = sql`
  update money_transfers p set
    state = m.payout_state, transfer_reference = coalesce(m.payout_reference, p.transfer_reference),
    status = case m.payout_state when 'completed' then 'COMPLETED' when 'failed' then 'FAILED' else 'PENDING' end,
    is_alive = m.payout_state <> 'failed', failure_code = m.payout_failure, submissions = p.submissions + m.submissions,
    is_acknowledged = p.is_acknowledged or m.acknowledged is true, is_counted = p.is_counted or m.counted is true,
    submitted_at = case when m.submissions > 0 then books_now() else p.submitted_at end,
    updated_at = m.at
  from moved m where p.id = m.payout_id`;

const ADD_PAYMENTS = sql`
  insert into payments (id, transaction_id, sender_id, recipient_id, description, status, reference, created_at)
  select payment_id, id, user_id, payee_id, 'Transfer to a merchant', 'completed', id::text, at
  from moved where payment_id is not null`;

const UPDATE_WITHDRAWALS = sql`
  update withdrawals w set
    status = coalesce(m.withdrawal_status, w.status), updated_at = m.at,
    approved_by = case m.decision when 'approved' then m.admin_id else w.approved_by end,
    approved_at = case m.decision when 'approved' then m.at else w.approved_at end,
    closed_by = case m.decision when 'closed' then m.admin_id else w.closed_by end,
    closed_at = case m.decision when 'closed' then m.at else w.closed_at end,
    provider_id = coalesce(m.provider, case when m.paid_reference is not null then 'bank' end, w.provider_id),
    provider_reference_id = coalesce(m.paid_reference, m.payout_reference, w.provider_reference_id),
    has_own_reference = case when m.paid_reference is not null then true else w.has_own_reference end,
    provider_status = coalesce(m.payout_state, w.provider_status),
    provider_response_data = coalesce(m.response_data, w.provider_response_data),
    provider_timestamp = case when m.payout_state is not null or m.paid_reference is not null then m.at
      else w.provider_timestamp end
  from moved m where m.is_withdrawal and w.transaction_id = m.id`;

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

/** Counts a payment to a merchant here against the limits on what they may receive. */
const COUNT_RECEIVED = sql`
  insert into limit_usage as used (
    user_id, currency, side, day, day_amount, day_allowed, month, month_amount, month_allowed)
  select payee_id, target_currency, 'in', in_day, sum(target_amount), max(in_day_allowed),
    in_month, sum(target_amount), max(in_month_allowed)
  from moved where in_day is not null
  group by payee_id, target_currency, in_day, in_month order by 1, 2
  on conflict (user_id, currency, side) do update set
    day = greatest(used.day, excluded.day),
    day_amount = excluded.day_amount + case when used.day >= excluded.day then used.day_amount else 0 end,
    day_allowed = excluded.day_allowed,
    month = greatest(used.month, excluded.month),
    month_amount = excluded.month_amount + case when used.month >= excluded.month then used.month_amount else 0 end,
    month_allowed = excluded.month_allowed`;

/**
 * The parts of a step, in the same statement. A part that no transition of the batch needs is left out, since it costs
 * time.
 */
const PARTS: { part: RawBuilder<unknown>; isNeededBy: (transition: Transition) => boolean }[] = [
  { part: sql`lifecycle as (${ADD_LIFECYCLE}),`, isNeededBy: ({ news }) => news !== null },
  { part: sql`begun as (${BEGIN_PAYOUTS}),`, isNeededBy: ({ newPayout }) => newPayout !== undefined },
  { part: sql`payouts as (${UPDATE_PAYOUTS}),`, isNeededBy: ({ payout }) => payout !== undefined },
  { part: sql`paid as (${ADD_PAYMENTS}),`, isNeededBy: ({ isPaymentToMerchant = false }) => isPaymentToMerchant },
  {
    part: sql`withdrawn as (${UPDATE_WITHDRAWALS}),`,
    isNeededBy: ({ from }) => from.transaction_type === 'withdrawal',
  },
  { part: sql`given_back as (${GIVE_BACK}),`, isNeededBy: ({ to }) => to.step === 'failed' || to.step === 'cancelled' },
  { part: sql`received as (${COUNT_RECEIVED}),`, isNeededBy: ({ received }) => received !== undefined },
];

const partsFor = (transitions: Transition[]) =>
  sql.join(
    PARTS.filter(({ isNeededBy }) => transitions.some(isNeededBy)).map(({ part }) => part),
    sql` `,
  );

function toChange(transition: Transition) {
  const { from, to, news, newPayout, payout, recipient, received } = transition;
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
    place: transition.place,
    provider: newPayout?.provider,
    description: newPayout?.description,
    msisdn: newPayout?.msisdn,
    request_body: newPayout?.requestBody,
    new_payout_counted: newPayout?.isCounted,
    payout_id: payout?.id,
    payout_state: payout?.state,
    payout_reference: payout?.reference,
    payout_failure: payout?.failureCode,
    submissions: payout?.submissions,
    acknowledged: payout?.isAcknowledged ?? newPayout?.isAcknowledged,
    counted: payout?.isCounted,
    // Each transfer has at most one payment, so they share an id.
    payment_id: transition.isPaymentToMerchant ? from.id : undefined,
    resumed_at: transition.resumedAt,
    clock_in_day: received?.day,
    clock_in_month: received?.month,
    in_day_allowed: received && String(received.perDay),
    in_month_allowed: received && String(received.perMonth),
    news_status: news?.status,
    news: news && noteText(news.note),
    news_codes: news?.note,
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
