import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '@vuka/local/testing/api-client';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { Administrators } from './administrators.ts';
import { type ClearAnswer, insist, LATE_WITHIN_MS, noteSurprise, REPEATED_WITHIN_MS } from './calls.ts';
import { type History, pricesNow } from './history.ts';
import { worth } from './merchants.ts';
import { type Band, decimalOf, minorOf, type Prices } from './price.ts';
import type { Random } from './random.ts';

const SPREAD = 0.03;
const LARGE = 1.6;
const MARKUPS = ['0', '0.5', '1.25', '2'] as const;
const PERCENTAGES = ['0', '0.5', '1.125'] as const;

/** The prices in force, as an administrator reads them. */
export async function readPrices(admin: ApiClient): Promise<Prices> {
  const [rates, { body }] = await Promise.all([admin.get('/api/rates'), admin.get('/api/admin/fees')]);
  const { buyRate, markup } = rates.body;
  return { buyRate: String(buyRate), markup: String(markup), fees: body.fees.map(toBand) };
}

function toBand(fee: Record<string, string>): Band {
  const { transactionType, currency, minAmount = '', maxAmount, fixedFee = '', percentageFee = '' } = fee;
  return {
    type: transactionType as Band['type'],
    currency: currency as WalletCurrency,
    least: minorOf(minAmount),
    end: maxAmount ? minorOf(maxAmount) : null,
    fixed: minorOf(fixedFee),
    percent: percentageFee,
  };
}

/** Until stopped, administrators change rates and fees, one at a time. */
export async function keepRepricing(
  administrators: Administrators,
  history: History,
  { random, pauseMs, signal }: { random: Random; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const base = Number(pricesNow(history).buyRate);
  while (!signal.aborted) {
    const isOfRate = random.next() < 0.6;
    const change = isOfRate
      ? await changeRate(administrators, history, { base, random })
      : await changeFee(administrators, history, random);
    await delay(random.between(0, pauseMs * 2));
    await delay(change && change.tries > 1 ? LATE_WITHIN_MS : REPEATED_WITHIN_MS);
  }
}

/** Notes prices that the answer says are in force. */
function note(history: History, change: Partial<Prices>, { fromMs, toMs }: Pick<ClearAnswer, 'fromMs' | 'toMs'>): void {
  history.prices.push({ prices: { ...pricesNow(history), ...change }, fromMs, toMs });
}

async function changeRate(
  administrators: Administrators,
  history: History,
  { base, random }: { base: number; random: Random },
): Promise<ClearAnswer | undefined> {
  const large = random.next() < 0.2 ? LARGE : 1;
  const rate = {
    buyRate: (base * large * (1 + SPREAD * (2 * random.next() - 1))).toFixed(6),
    markup: random.pick(MARKUPS),
  };
  const set = await insist(administrators.admin.client, history, { path: '/api/rates/update', body: rate });
  if (set?.answer.status === 200) note(history, rate, set);
  else if (set?.answer.status === 202) {
    const isApproved = random.next() < 0.8;
    return decideRate(administrators, history, { rate, id: set.answer.body.proposal.id, isApproved });
  } else if (set) noteSurprise(history, 'a rate', set.answer);
  return set;
}

/** The proposer may not decide; the other one approves or refuses. */
async function decideRate(
  { admin: { client: admin }, approver: { client: approver } }: Administrators,
  history: History,
  { rate, id, isApproved }: { rate: Pick<Prices, 'buyRate' | 'markup'>; id: string; isApproved: boolean },
): Promise<ClearAnswer | undefined> {
  const path = `/api/admin/rate-proposals/${id}`;
  const own = await insist(admin, history, { path: `${path}/approve`, body: { pin: admin.pin } });
  if (own && own.answer.status !== 403) noteSurprise(history, "the proposer's approval of a rate", own.answer);
  const decision = isApproved ? 'approve' : 'refuse';
  const body = { pin: approver.pin, ...(isApproved ? {} : { reason: 'much too high' }) };
  const decided = await insist(approver, history, { path: `${path}/${decision}`, body });
  if (decided?.answer.status === 200 && isApproved) note(history, rate, decided);
  // 409: a repeat of the proposal, which the network delivered later, has replaced the first one.
  else if (decided && ![200, 409].includes(decided.answer.status))
    noteSurprise(history, 'a decision on a rate', decided.answer);
  return decided;
}

/** Adds the fee of a kind of transaction, or removes it. */
async function changeFee(
  { admin: { client: admin } }: Administrators,
  history: History,
  random: Random,
): Promise<ClearAnswer | undefined> {
  const [type, currency] = [random.pick(['transfer', 'withdrawal'] as const), random.pick(WALLET_CURRENCIES)];
  const { fees } = pricesNow(history);
  const isOther = (band: Band) => band.type !== type || band.currency !== currency;
  const known = fees.find((band) => !isOther(band));
  if (known) {
    const removed = await removeFee(admin, history, known);
    if (removed) note(history, { fees: fees.filter(isOther) }, removed);
    return removed;
  }
  const band = drawBand(random, { type, currency });
  const body = { ...toRequest(band), pin: admin.pin };
  const added = await insist(admin, history, { path: '/api/admin/fees', body });
  // A repeat overlaps the band that the first request has added.
  const isAdded = added?.answer.status === 201 || (added?.answer.status === 400 && added.tries > 1);
  if (added && isAdded) note(history, { fees: [...fees, band] }, added);
  else if (added) noteSurprise(history, 'a fee', added.answer);
  return added;
}

function drawBand(random: Random, { type, currency }: Pick<Band, 'type' | 'currency'>): Band {
  const minor = (units: number) => BigInt(worth(currency, units)) * 100n;
  return {
    type,
    currency,
    least: random.pick([0n, minor(0.2)]),
    end: random.pick([null, minor(0.5)]),
    fixed: BigInt(random.between(0, 3 * worth(currency, 0.1))),
    percent: random.pick(PERCENTAGES),
  };
}

function toRequest({ type, currency, least, end, fixed, percent }: Band) {
  return {
    transactionType: type,
    currency,
    minAmount: decimalOf(least),
    maxAmount: end === null ? null : decimalOf(end),
    fixedFee: decimalOf(fixed),
    percentageFee: percent,
  };
}

async function removeFee(admin: ApiClient, history: History, band: Band): Promise<ClearAnswer | undefined> {
  const id = await findFee(admin, band);
  if (!id) return undefined;
  const path = `/api/admin/fees/${id}/remove`;
  const removed = await insist(admin, history, { path, body: { pin: admin.pin } });
  // A repeat finds nothing to remove.
  const isRemoved = removed?.answer.status === 200 || (removed?.answer.status === 404 && removed.tries > 1);
  if (removed && !isRemoved) noteSurprise(history, 'the removal of a fee', removed.answer);
  return isRemoved ? removed : undefined;
}

/** The id of a band; undefined while the product is unavailable. */
async function findFee(admin: ApiClient, { type, currency }: Band): Promise<string | undefined> {
  const answer = await admin.get('/api/admin/fees').catch(() => undefined);
  const fees: Record<string, string>[] = answer?.body.fees ?? [];
  return fees.find((fee) => fee.transactionType === type && fee.currency === currency)?.id;
}
