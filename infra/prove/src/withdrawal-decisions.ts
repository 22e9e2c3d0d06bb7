import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ApiClient } from '@vuka/local/testing/api-client';
import type { WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { Administrators } from './administrators.ts';
import { isComeBackLater, noteSurprise, noteUnexpected, post } from './calls.ts';
import type { Decision, DecisionKind, History } from './history.ts';
import { minorOf } from './price.ts';
import type { Random } from './random.ts';

const APPROVED = 0.7;
const REPEATED = 0.3;
/** The share of withdrawals left to the other administrator, who may be deciding on them at this moment. */
const LEFT = 0.3;
/** 409: the withdrawal is already decided, or the other administrator is paying it. */
const CLEAR = [200, 409];

/** The amounts, in minor units, above which withdrawals to phones need approval. */
export async function readApprovalLimits(admin: ApiClient): Promise<Record<WalletCurrency, bigint>> {
  const { body } = await admin.get('/api/admin/system-settings');
  return byCurrency(WALLET_CURRENCIES, (currency) => minorOf(body.withdrawalApprovalLimit[currency]));
}

/** Both administrators decide on withdrawals, and pay by hand those to banks, until stopped. */
export async function keepDeciding(
  { admin, approver }: Administrators,
  history: History,
  { random, pauseMs, signal }: { random: Random; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const loop = async (by: Decision['by'], client: ApiClient) => {
    const decider = { by, client, history, random: random.fork(by) };
    while (!signal.aborted) {
      const waiting = await list(decider, 'awaiting_approval');
      history.undecided = waiting.length;
      for (const { id } of waiting) await decideOn(decider, id);
      for (const { id, isToBePaidByHand } of await list(decider, 'pending'))
        if (isToBePaidByHand) await payByHand(decider, id);
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
}

/** Empty while the product is unavailable. */
async function list({ client }: Decider, status: string): Promise<{ id: string; isToBePaidByHand: boolean }[]> {
  const answer = await client.get(`/api/admin/withdrawals?status=${status}&limit=100`).catch(() => undefined);
  return answer?.body.withdrawals ?? [];
}

/** The refusal to approve or to pay a blocked merchant's withdrawal. */
const isOfBlocked = (answer: Answer | undefined): boolean => answer?.body.reason === 'withdrawal_of_blocked_account';

async function decideOn(decider: Decider, id: string): Promise<void> {
  const { random } = decider;
  if (random.next() < LEFT) return;
  const kind = random.next() < APPROVED ? 'approve' : 'refuse';
  await decide(decider, id, kind);
  if (random.next() < REPEATED) await decide(decider, id, kind);
}

async function payByHand(decider: Decider, id: string): Promise<void> {
  const { random, client, history } = decider;
  if (random.next() < LEFT) return;
  const taken = await post(client, history, { path: `/api/admin/withdrawals/${id}/take`, body: {} });
  const isBlocked = isOfBlocked(taken);
  if (!isBlocked) noteUnexpected(history, 'taking a withdrawal', { answer: taken, expected: CLEAR });
  if (!isBlocked && taken?.status !== 200) return;
  const kind = !isBlocked && random.next() < APPROVED ? 'complete' : 'fail';
  await decide(decider, id, kind);
  if (random.next() < REPEATED) await decide(decider, id, kind);
}

const SAYS: Record<DecisionKind, object> = {
  approve: {},
  refuse: { reason: 'not known to us' },
  complete: { reference: 'BANK-REF-1' },
  fail: { reason: 'the bank sent it back' },
};

async function decide(decider: Decider, withdrawalId: string, kind: DecisionKind): Promise<void> {
  const { client, history, by } = decider;
  const fromMs = Date.now();
  const body = { ...SAYS[kind], pin: client.pin };
  const answer = await post(client, history, { path: `/api/admin/withdrawals/${withdrawalId}/${kind}`, body });
  const isClear = answer !== undefined && !isComeBackLater(answer);
  history.decisions.push({ withdrawalId, kind, by, fromMs, status: isClear ? answer.status : undefined });
  if (isClear && !isOfBlocked(answer) && !CLEAR.includes(answer.status))
    noteSurprise(history, `a decision, ${kind}`, answer);
}
