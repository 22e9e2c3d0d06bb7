import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@vuka/local/testing/api-client';
import { type History, isAcknowledged, type Order } from './history.ts';
import type { Merchant } from './merchants.ts';
import { minorOf } from './price.ts';
import type { Random } from './random.ts';

const UNAVAILABLE = new Set([401, 503]);
const FINAL = new Set(['SETTLED', 'FAILED', 'CANCELLED']);

/** What a merchant has read so far, which later answers may not contradict. */
export interface Seen {
  /** The final states, by transfer. */
  ended: Map<string, string>;
}

/**
 * Until stopped, reads the merchant's balances and transfers. During faults an answer may be missing but not wrong: an
 * acknowledged transfer is always found, a final state never changes, and no balance is below zero.
 */
export async function keepReading(
  merchant: Merchant,
  history: History,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const random = merchant.random.fork('reads');
  const seen: Seen = { ended: new Map() };
  while (!signal.aborted) {
    const mine = history.orders.filter((order) => order.userId === merchant.userId && isAcknowledged(order));
    const order = mine.length > 0 ? random.pick(mine) : undefined;
    const id = order?.acknowledged[0];
    if (order && id) {
      const answer = await read(merchant, history, `/api/transactions/${id}`);
      if (answer) history.surprises.push(...contradictionsOf(id, answer, seen), ...differencesOf(order, answer));
    }
    await readAnothers(merchant, history, random);
    const balances = await read(merchant, history, '/api/balances');
    if (balances) history.surprises.push(...negativesOf(balances));
    await delay(random.between(0, pauseMs * 2));
  }
}

/** A merchant never finds the transfer of another merchant. */
async function readAnothers(merchant: Merchant, history: History, random: Random): Promise<void> {
  const other = history.orders.length > 0 ? random.pick(history.orders) : undefined;
  const id = other?.acknowledged[0];
  if (!id || other.userId === merchant.userId) return;
  const answer = await read(merchant, history, `/api/transactions/${id}`);
  if (answer && answer.status !== 404)
    history.surprises.push(`${id}: another merchant's reading answers ${answer.status}`);
}

/** Undefined if the product was unavailable, or if the merchant is just signing in again. */
async function read({ client }: Merchant, history: History, path: string): Promise<Answer | undefined> {
  history.reads += 1;
  const answer = await client.get(path).catch(() => undefined);
  if (!answer || UNAVAILABLE.has(answer.status)) return undefined;
  history.answeredReads += 1;
  return answer;
}

/** Contradictions between an answer about a transfer and earlier ones; remembers a final state. */
export function contradictionsOf(
  id: string,
  { status, body }: Pick<Answer, 'status' | 'body'>,
  { ended }: Seen,
): string[] {
  if (status !== 200) return [`${id}: was acknowledged, and reading it answers ${status}`];
  const now: string = body.transaction.status;
  const before = ended.get(id);
  if (FINAL.has(now) && before === undefined) ended.set(id, now);
  return before === undefined || before === now ? [] : [`${id}: was ${before}, and later ${now}`];
}

/** How a receipt differs from what the merchant confirmed. A fee that was not confirmed is not compared. */
export function differencesOf(
  { acknowledged, sourceAmount, targetAmount, direction, fee }: Order,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): string[] {
  if (status !== 200) return []; // found by `contradictionsOf`
  const receipt = body.transaction;
  const shown = { sourceAmount: minorOf(receipt.source_amount), targetAmount: minorOf(receipt.target_amount) };
  const isSame =
    shown.sourceAmount === sourceAmount &&
    (direction === undefined || shown.targetAmount === targetAmount) &&
    (fee === undefined || minorOf(receipt.fee) === fee);
  if (isSame) return [];
  const figures = [receipt.source_amount, receipt.target_amount, receipt.fee].join(', ');
  return [`${acknowledged[0]}: its receipt shows ${figures}, which is not what was confirmed`];
}

export function negativesOf({ status, body }: Pick<Answer, 'status' | 'body'>): string[] {
  if (status !== 200) return [`reading balances answers ${status}`];
  const figures = Object.entries<unknown>(body.balances ?? {});
  return figures.filter(([, amount]) => String(amount).startsWith('-')).map((pair) => `a balance is ${pair.join(' ')}`);
}
