import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ApiClient } from '@vuka/local/testing/api-client';
import type { WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { Administrators } from './administrators.ts';
import { isComeBackLater, noteSurprise, noteUnexpected, post, postConfirmed, READ } from './calls.ts';
import type { BankPayment, Decision, DecisionKind, History } from './history.ts';
import { minorOf } from './price.ts';
import type { Random } from './random.ts';

const APPROVED = 0.7;
const REPEATED = 0.3;
/** The share of withdrawals left to the other administrator, who may be deciding on them at this moment. */
const LEFT = 0.3;
/** The share of payments at the bank of which the administrator does not tell the product at once. */
const UNTOLD = 0.1;
/** 409: the withdrawal is already decided, or the other administrator is paying it. */
const CLEAR = [200, 409];

/** The amounts, in minor units, above which withdrawals to phones need approval. */
export async function readApprovalLimits(admin: ApiClient): Promise<Record<WalletCurrency, bigint>> {
  const { body } = await admin.get('/api/admin/system-settings');
  return byCurrency(WALLET_CURRENCIES, (currency) => minorOf(body.withdrawalApprovalLimit[currency]));
}

/**
 * Both administrators decide on withdrawals, and pay by hand those to banks, until stopped. Each knows their own payments,
 * and looks for the other's on the bank's statement only if the product says that there may be one. Both may take the same
 * payment at the same moment, but neither takes one over while the other is at work on it.
 */
export async function keepDeciding(
  { admin, approver }: Administrators,
  history: History,
  { random, pauseMs, signal }: { random: Random; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const atWork = new Map<string, number>();
  const loop = async (by: Decision['by'], client: ApiClient) => {
    const decider = { by, client, history, random: random.fork(by), atWork };
    while (!signal.aborted) {
      const waiting = await list(decider, 'awaiting_approval');
      history.undecided = waiting.length;
      for (const withdrawal of waiting) await decideOn(decider, withdrawal);
      for (const withdrawal of await list(decider, 'pending'))
        if (withdrawal.isToBePaidByHand) await payByHandAlone(decider, withdrawal);
      await delay(random.between(0, pauseMs * 2));
    }
  };
  await Promise.all([loop('admin', admin.client), loop('approver', approver.client)]);
}

interface Decider {
  by: Decision['by'];
  client: ApiClient;
  history: History;
  random: Random;
  /** How many administrators are paying each withdrawal by hand at this moment. */
  atWork: Map<string, number>;
}

/** What the product tells an administrator of a withdrawal. */
interface Listed {
  id: string;
  isToBePaidByHand: boolean;
  mayBePaid: boolean;
  payingSince: string | null;
  merchantUserId: string | null;
  amount: string;
  currency: string;
  recipientAccount: string;
}

/** Empty while the product is unavailable. */
async function list({ client, history }: Decider, status: string): Promise<Listed[]> {
  const answer = await client.get(`/api/admin/withdrawals?status=${status}&limit=100`).catch(() => undefined);
  noteUnexpected(history, 'reading withdrawals', { answer, expected: READ });
  return answer?.body.withdrawals ?? [];
}

/** The refusal to approve or to pay the withdrawal of a merchant who was blocked at some time. */
const isOfBlocked = ({ history }: Decider, { merchantUserId }: Listed, answer: Answer | undefined): boolean =>
  answer?.body.reason === 'withdrawal_of_blocked_account' && history.blocked.has(merchantUserId ?? '');

/** The payment of a withdrawal on the bank's statement. */
const onStatement = ({ history }: Decider, { id }: Listed) =>
  history.bankPayments.find(({ withdrawalId }) => withdrawalId === id);

async function decideOn(decider: Decider, withdrawal: Listed): Promise<void> {
  const { random } = decider;
  if (random.next() < LEFT) return;
  const isPaid = withdrawal.mayBePaid && onStatement(decider, withdrawal) !== undefined;
  const kind = isPaid || random.next() < APPROVED ? 'approve' : 'refuse';
  const says = kind === 'refuse' ? { reason: 'not known to us', ...comparison(withdrawal) } : {};
  await decide(decider, withdrawal, { kind, says });
}

async function payByHandAlone(decider: Decider, withdrawal: Listed): Promise<void> {
  const { random, atWork } = decider;
  const { id, payingSince } = withdrawal;
  const isAtWork = () => atWork.get(id) ?? 0;
  if (random.next() < LEFT || (payingSince !== null && isAtWork() > 0)) return;
  atWork.set(id, isAtWork() + 1);
  await payByHand(decider, withdrawal).finally(() => atWork.set(id, isAtWork() - 1));
}

async function payByHand(decider: Decider, withdrawal: Listed): Promise<void> {
  const { random, client, history } = decider;
  const { id, mayBePaid, payingSince } = withdrawal;
  const body = { payingSince, ...comparison(withdrawal) };
  const taken = await postConfirmed(client, history, { path: `/api/admin/withdrawals/${id}/take`, body });
  const isBlocked = isOfBlocked(decider, withdrawal, taken);
  if (!isBlocked) noteUnexpected(history, 'taking a withdrawal', { answer: taken, expected: CLEAR });
  if (!isBlocked && taken?.status !== 200) return;
  const known = onStatement(decider, withdrawal);
  const paid = mayBePaid || known?.by === decider.by ? known : undefined;
  if (!paid && (isBlocked || random.next() >= APPROVED)) {
    const says = { reason: 'the bank sent it back', ...comparison(withdrawal) };
    return decide(decider, withdrawal, { kind: 'fail', says });
  }
  const { reference } = paid ?? payAtBank(decider, withdrawal);
  if (!paid && random.next() < UNTOLD) return;
  return decide(decider, withdrawal, { kind: 'complete', says: { reference } });
}

const comparison = ({ mayBePaid }: Listed) => (mayBePaid ? { comparedWithStatement: true } : {});

function payAtBank({ history: { bankPayments }, by }: Decider, withdrawal: Listed): BankPayment {
  const { id: withdrawalId, currency, recipientAccount: account } = withdrawal;
  const reference = `BANK-REF-${bankPayments.length + 1}`;
  const payment = {
    withdrawalId,
    reference,
    amount: minorOf(withdrawal.amount),
    currency,
    account,
    by,
    atMs: Date.now(),
  };
  bankPayments.push(payment);
  return payment;
}

interface Saying {
  kind: DecisionKind;
  says: object;
}

/** Decides, and often repeats the decision, as after a lost answer. */
async function decide(decider: Decider, withdrawal: Listed, saying: Saying): Promise<void> {
  await decideOnce(decider, withdrawal, saying);
  if (decider.random.next() < REPEATED) await decideOnce(decider, withdrawal, saying);
}

async function decideOnce(decider: Decider, withdrawal: Listed, { kind, says }: Saying): Promise<void> {
  const { id: withdrawalId } = withdrawal;
  const { client, history, by } = decider;
  const fromMs = Date.now();
  const body = { ...says, pin: client.pin };
  const answer = await post(client, history, { path: `/api/admin/withdrawals/${withdrawalId}/${kind}`, body });
  const isClear = answer !== undefined && !isComeBackLater(answer);
  history.decisions.push({ withdrawalId, kind, by, fromMs, status: isClear ? answer.status : undefined });
  if (isClear && !isOfBlocked(decider, withdrawal, answer) && !CLEAR.includes(answer.status))
    noteSurprise(history, `a decision, ${kind}`, answer);
}
