import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@vuka/local/testing/api-client';
import { type History, isAcknowledged } from './history.ts';
import type { Merchant } from './merchants.ts';

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
    const id = mine.length > 0 ? random.pick(mine).acknowledged[0] : undefined;
    if (id) {
      const answer = await read(merchant, history, `/api/transactions/${id}`);
      if (answer) history.surprises.push(...contradictionsOf(id, answer, seen));
    }
    const balances = await read(merchant, history, '/api/balances');
    if (balances) history.surprises.push(...negativesOf(balances));
    await delay(random.between(0, pauseMs * 2));
  }
}

/** Undefined if the product was unavailable, or if the merchant is just signing in again. */
async function read({ client }: Merchant, history: History, path: string): Promise<Answer | undefined> {
  history.reads += 1;
  const answer = await client.get(path).catch(() => undefined);
  return answer && UNAVAILABLE.has(answer.status) ? undefined : answer;
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

export function negativesOf({ status, body }: Pick<Answer, 'status' | 'body'>): string[] {
  if (status !== 200) return [`reading balances answers ${status}`];
  const figures = Object.entries<unknown>(body.balances ?? {});
  return figures.filter(([, amount]) => String(amount).startsWith('-')).map((pair) => `a balance is ${pair.join(' ')}`);
}
