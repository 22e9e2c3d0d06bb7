import type pg from 'pg';
import type { Struck } from './bundle.ts';
import {
  LONGEST_CLOCK_STEP_MS,
  meeting,
  separatesPrices,
  setsClocks,
  type Window,
  windowsOf,
} from './fault-windows.ts';
import type { HeldQuote, History, Order, PriceChange } from './history.ts';
import { feeOf, type Price, type Prices, priceOf } from './price.ts';

/** A transfer or withdrawal as recorded in the books; amounts in minor units. */
export interface PricedRow {
  id: string;
  clientTransactionId: string;
  status: string;
  target: bigint;
  fee: bigint;
  mid: bigint;
}

const PRICED = `
  select id, client_transaction_id as "clientTransactionId", status, target_amount::text as target, fee::text,
    mid_amount::text as mid
  from transactions where transaction_type in ('transfer', 'withdrawal')`;

export async function readPriced(books: pg.Client): Promise<PricedRow[]> {
  const { rows } = await books.query<Record<keyof PricedRow, string>>(PRICED);
  return rows.map((row) => ({ ...row, target: BigInt(row.target), fee: BigInt(row.fee), mid: BigInt(row.mid) }));
}

/** How long a service may use prices that it has read, transit included; longer while it is cut off. */
const KNOWN_FOR_MS = 5_000;
/** How long services may need to reach each other again after a fault. */
const RECOVERY_MS = 10_000;
const QUOTED_FOR_MS = 60_000;
/** The allowance for clock differences between proof and product, and for the transit of an answer. */
const SKEW_MS = 2_000;

interface Faults {
  /** When `transfers` could not always read the prices in force. */
  apart: readonly Window[];
  clocks: readonly Window[];
}

/**
 * Recomputes the price of every order in the books, of every quote, and of every refusal for a changed price. A price
 * may apply from the first request to set it until the answer to the next change, and then for as long as services may
 * use prices that they read before. Returns a line per contradiction.
 */
export function checkPrices(
  { orders, quotes, prices }: Pick<History, 'orders' | 'quotes' | 'prices'>,
  rows: readonly PricedRow[],
  struck: readonly Struck[],
): string[] {
  const faults = faultsOf(struck);
  const booked = new Map(rows.map((row) => [row.clientTransactionId, row]));
  const inForce = (window: Window) => pricesDuring(prices, sinceKnown(window, faults));
  return [
    ...quotes.flatMap((quote) => wrongQuote(quote, inForce({ fromMs: quote.askedMs, toMs: quote.receivedMs }))),
    ...orders.flatMap((order) => {
      const row = booked.get(order.clientTransactionId);
      const possible = inForce({ fromMs: order.sentMs, toMs: order.clearMs });
      if (row) return [...wrongPrice(order, row, { possible, faults }), ...notAgreed(order, row)];
      return order.isRepriced ? wrongRefusal(order, { possible, faults }) : [];
    }),
  ];
}

/** Of how many orders the price was known almost exactly: no fault let services use prices of long before. */
export function countStrictlyPriced(
  { orders, prices }: Pick<History, 'orders' | 'prices'>,
  struck: readonly Struck[],
): number {
  const faults = faultsOf(struck);
  const possible = (order: Order) =>
    pricesDuring(prices, sinceKnown({ fromMs: order.sentMs, toMs: order.clearMs }, faults));
  return orders.filter((order) => possible(order).length <= 2).length;
}

function faultsOf(struck: readonly Struck[]): Faults {
  return {
    apart: windowsOf(struck, separatesPrices, RECOVERY_MS),
    clocks: windowsOf(struck, setsClocks, RECOVERY_MS),
  };
}

/** The window, extended back to the earliest moment whose prices a service could still use in it. */
function sinceKnown({ fromMs, toMs }: Window, { apart }: Faults): Window {
  const known = { fromMs: fromMs - KNOWN_FOR_MS, toMs };
  const cutOff = meeting(apart, known);
  return cutOff ? { fromMs: Math.min(known.fromMs, cutOff.fromMs - KNOWN_FOR_MS), toMs } : known;
}

/** All prices that were in force at some time in the window. */
function pricesDuring(changes: readonly PriceChange[], { fromMs, toMs }: Window): Prices[] {
  const isIn = (change: PriceChange, index: number) => {
    const next = changes[index + 1];
    return change.fromMs <= toMs && (next === undefined || next.toMs >= fromMs);
  };
  return changes.filter(isIn).map(({ prices }) => prices);
}

function wrongQuote(quote: HeldQuote, possible: readonly Prices[]): string[] {
  const { quoteId, direction, sourceAmount, targetAmount, fee } = quote;
  const right = possible.map((prices) => priceOf(prices, direction, sourceAmount));
  if (right.some((price) => price.target === targetAmount && price.fee === fee)) return [];
  return [`quote ${quoteId}: ${targetAmount} with a fee of ${fee}, should be ${describe(right)}`];
}

interface Context {
  possible: readonly Prices[];
  faults: Faults;
}

function wrongPrice(order: Order, row: PricedRow, { possible, faults }: Context): string[] {
  const { quote } = order;
  const right = possible.map((prices) => priceFor(order, prices));
  if (right.some(({ target, fee, mid }) => target === row.target && fee === row.fee && mid === row.mid)) return [];
  const isHeld = quote && quote.targetAmount === row.target && quote.fee === row.fee;
  if (isHeld && mayBeLive(quote, order, faults)) return [];
  const what = isHeld ? 'the price of an expired quote' : `${row.target} with a fee of ${row.fee}`;
  return [`${row.id}: ${what}, should be ${describe(right)}; its mid amount is ${row.mid}`];
}

/** In a withdrawal the recipient gets the ordered amount, and the fee is added to it. */
function priceFor({ direction, source, sourceAmount }: Order, prices: Prices): Price {
  if (direction) return priceOf(prices, direction, sourceAmount);
  return { target: sourceAmount, mid: sourceAmount, fee: feeOf(prices, 'withdrawal', source, sourceAmount) };
}

/** The booked amounts must be those that the merchant confirmed. */
function notAgreed({ targetAmount, fee }: Order, row: PricedRow): string[] {
  const isAgreed = row.target === targetAmount && (fee === undefined || row.fee === fee);
  return isAgreed ? [] : [`${row.id}: ${row.target} with a fee of ${row.fee}, but ${targetAmount} was confirmed`];
}

/** A price may not be refused if it was in force all the time, or if a live quote held it. */
function wrongRefusal(order: Order, { possible, faults }: Context): string[] {
  const { clientTransactionId: key, targetAmount, fee, quote, body } = order;
  // The product deletes a quote an hour after its end, and then does not know the fee that the quote showed.
  if (quote?.aging && body.fee === undefined) return [];
  if (quote && isSurelyLive(quote, order, faults)) return [`${key}: refused, although its quote was held`];
  const isShown = (prices: Prices) => {
    const price = priceFor(order, prices);
    return price.target === targetAmount && (fee === undefined || price.fee === fee);
  };
  return possible.every(isShown) ? [`${key}: refused for a price that was in force`] : [];
}

/** Whether the quote may still have been live, by the product's clock, when the order arrived. */
function mayBeLive({ askedMs, receivedMs, aging }: HeldQuote, { sentMs, clearMs }: Order, { clocks }: Faults): boolean {
  // The proof made the quote older by an hour, which exceeds every step of a clock.
  if (aging && sentMs > aging.toMs) return false;
  const isBack = meeting(clocks, { fromMs: receivedMs, toMs: clearMs }) !== undefined;
  const wasAhead = meeting(clocks, { fromMs: askedMs, toMs: receivedMs }) !== undefined;
  return isBack || sentMs <= receivedMs + QUOTED_FOR_MS + SKEW_MS + (wasAhead ? LONGEST_CLOCK_STEP_MS : 0);
}

function isSurelyLive({ askedMs, aging }: HeldQuote, { clearMs }: Order, { clocks }: Faults): boolean {
  const endsMs = Math.min(askedMs + QUOTED_FOR_MS, aging?.fromMs ?? Number.POSITIVE_INFINITY);
  return clearMs < endsMs - SKEW_MS && !meeting(clocks, { fromMs: askedMs, toMs: clearMs });
}

const describe = (right: readonly Price[]): string =>
  right.map(({ target, fee }) => `${target} with a fee of ${fee}`).join(' or ');
