import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { Administrator, Administrators } from './administrators.ts';
import { insist, noteSurprise } from './calls.ts';
import type { History, Movement } from './history.ts';
import { type Merchant, worth } from './merchants.ts';
import { decimalOf } from './price.ts';
import type { Random } from './random.ts';

/** In units of about the same value in each currency: below every limit, and enough to need two administrators. */
const SMALL = 0.01;
const LARGE = 1_001;
/** The most that an administrator may move alone in a day. */
const ALONE = 1_000;
/** How often a request is sent twice at once. */
const DOUBLED = 0.3;
const APPROVED = 0.7;

/** Restores low limits: the approver may move small amounts alone, and a large amount needs two administrators. */
export async function lowerCreditLimit({ admin }: Administrators): Promise<void> {
  const path = '/api/admin/system-settings';
  const { body: settings } = await admin.client.get(path);
  const limits = WALLET_CURRENCIES.map((currency) => [currency, String(worth(currency, ALONE))]);
  const creditApprovalLimit = { ...settings.creditApprovalLimit, ...Object.fromEntries(limits) };
  const { status, body } = await admin.client.post(path, { ...settings, creditApprovalLimit });
  if (status !== 200) throw new Error(`the limit of credits: ${status} ${JSON.stringify(body)}`);
}

/**
 * Administrators credit merchants and their own accounts, small amounts at once and large ones with another's approval,
 * each under a key of its own and repeated until the answer is clear, until stopped.
 */
export async function keepMovingMoney(
  administrators: Administrators,
  merchants: readonly Merchant[],
  history: History,
  { random, pauseMs, signal }: { random: Random; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const isLarge = random.next() < 0.25;
    const requester = isLarge && random.next() < 0.5 ? administrators.admin : administrators.approver;
    const decider = requester === administrators.admin ? administrators.approver : administrators.admin;
    const merchant = random.next() < 0.8 ? random.pick(merchants) : undefined;
    await move({ requester, decider, merchant, isLarge }, history, random);
    await delay(random.between(0, pauseMs * 2));
  }
}

interface Plan {
  requester: Administrator;
  decider: Administrator;
  /** Undefined for a deposit to the requester's own account. */
  merchant: Merchant | undefined;
  isLarge: boolean;
}

async function move(plan: Plan, history: History, random: Random): Promise<void> {
  const { requester, merchant, isLarge } = plan;
  const currency = random.pick(WALLET_CURRENCIES);
  const amount = BigInt(worth(currency, isLarge ? LARGE : SMALL)) * 100n;
  const movement: Movement = { userId: (merchant ?? requester).userId, currency, amount, isMoved: false };
  history.movements.push(movement);
  const what = { amount: decimalOf(amount), currency };
  const body = merchant
    ? { ...what, merchantId: merchant.merchantId }
    : { ...what, reason: 'float', pin: requester.client.pin };
  const path = merchant ? '/api/admin/credit-balance' : '/api/admin/deposit';
  const request = { path, body, headers: { 'idempotency-key': randomUUID() } };
  const times = random.next() < DOUBLED ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: times }, () => insist(requester.client, history, request)));
  const asked = answers.find((answer) => answer?.answer.status === (isLarge ? 202 : 201));
  for (const other of answers)
    if (other && other.answer.status !== asked?.answer.status) noteSurprise(history, path, other.answer);
  if (!asked) return;
  movement.isMoved = !isLarge || (await decideOn(plan, { id: asked.answer.body.credit.id, random }, history));
}

/** The requester may not decide. The decider decides twice, then tries the opposite. Returns true if approved. */
async function decideOn(
  { requester, decider }: Plan,
  { id, random }: { id: string; random: Random },
  history: History,
): Promise<boolean> {
  const decide = ({ client }: Administrator, kind: 'approve' | 'refuse') => {
    const body = { pin: client.pin, ...(kind === 'refuse' ? { reason: 'not agreed' } : {}) };
    return insist(client, history, { path: `/api/admin/credits/${id}/${kind}`, body });
  };
  const own = await decide(requester, 'approve');
  if (own && own.answer.status !== 403) noteSurprise(history, "the requester's approval", own.answer);
  const kind = random.next() < APPROVED ? 'approve' : 'refuse';
  for (const decided of [await decide(decider, kind), await decide(decider, kind)])
    if (decided && decided.answer.status !== 200) noteSurprise(history, 'a decision on a credit', decided.answer);
  const other = await decide(decider, kind === 'approve' ? 'refuse' : 'approve');
  if (other && other.answer.status !== 409) noteSurprise(history, 'a second decision on a credit', other.answer);
  return kind === 'approve';
}
