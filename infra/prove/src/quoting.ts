import { setTimeout as delay } from 'node:timers/promises';
import type { Direction } from '@vuka/money/corridors';
import pg from 'pg';
import { noteSurprise, post } from './calls.ts';
import type { HeldQuote, History } from './history.ts';
import type { Merchant } from './merchants.ts';
import { orUnavailable } from './postgres-node.ts';
import { decimalOf, minorOf } from './price.ts';

/** Undefined while the product is unavailable. */
export async function askQuote(
  { client }: Merchant,
  history: History,
  { direction, sourceAmount }: { direction: Direction; sourceAmount: bigint },
): Promise<HeldQuote | undefined> {
  const askedMs = Date.now();
  const body = { direction, sourceAmount: decimalOf(sourceAmount) };
  const answer = await post(client, history, { path: '/api/quotes', body });
  if (answer?.status === 201) return keepQuote(history, answer.body, askedMs);
  if (answer && answer.status !== 503 && answer.status !== 401) noteSurprise(history, 'a quote', answer);
  return undefined;
}

/** Notes the quote in an answer, which may also be a refusal for a changed price. */
export function keepQuote(history: History, quote: QuoteAnswer, askedMs: number): HeldQuote {
  const held: HeldQuote = {
    quoteId: quote.quoteId,
    direction: quote.direction,
    sourceAmount: minorOf(quote.sourceAmount),
    targetAmount: minorOf(quote.targetAmount),
    fee: minorOf(quote.fee),
    askedMs,
    receivedMs: Date.now(),
  };
  history.quotes.push(held);
  return held;
}

interface QuoteAnswer {
  quoteId: string;
  direction: Direction;
  sourceAmount: string;
  targetAmount: string;
  fee: string;
}

/** Timeouts, ms: a suspended server must not keep the proof from ending. */
const SOON = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };

/**
 * Makes quotes that merchants have laid aside expire, in the product's own table: a short proof has no time to wait for
 * the end of the minute.
 */
export async function keepAging(
  merchants: readonly Merchant[],
  databaseUrl: string,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const fresh = merchants.flatMap(({ quotes }) => quotes.find(({ aging }) => !aging) ?? []);
    const chosen = fresh.filter((_, index) => index % 2 === 0);
    if (chosen.length > 0) await age(chosen, databaseUrl);
    await delay(pauseMs);
  }
}

async function age(quotes: readonly HeldQuote[], databaseUrl: string): Promise<void> {
  const fromMs = Date.now();
  // Until the statement is known to have succeeded, a quote may or may not have expired.
  for (const quote of quotes) quote.aging = { fromMs, toMs: Number.POSITIVE_INFINITY };
  const client = new pg.Client({ connectionString: databaseUrl, ...SOON });
  client.on('error', () => undefined); // the server may be killed
  try {
    await client.connect();
    const ids = quotes.map(({ quoteId }) => quoteId);
    const text = "update quotes set expires_at = expires_at - interval '1 hour' where id = any($1::uuid[])";
    await client.query(text, [ids]);
    for (const quote of quotes) quote.aging = { fromMs, toMs: Date.now() };
  } catch (error) {
    // The outcome is unknown, so `aging` keeps its open end.
    orUnavailable(undefined)(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
