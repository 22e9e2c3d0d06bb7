import { drawTransfer } from './draw-order.ts';
import { type History, isAcknowledged, isRefused, type Order } from './history.ts';
import { type Cast, sendersOf } from './load.ts';
import type { Merchant } from './merchants.ts';
import { sendOnce } from './sending.ts';
import { untilEnded } from './until-ended.ts';

/** Orders in flight at once: fewer than the least that a gateway lets in. */
const LANES = 8;
/** How long a transfer may take while nothing is broken, ms; most of it is the queue of a hundred on two cores. */
const ENDED_MS = 20_000;

/**
 * Once the faults are over and every transfer has ended, the product works as if nothing had happened: each merchant
 * orders at the price in force, and the first request is accepted, unless the wallet has too little money. Each of these
 * transfers ends soon. Notes a surprise for each that is not or does not.
 */
export async function orderInCalm(cast: Cast, history: History, transfersDatabaseUrl: string): Promise<void> {
  const waiting = [...sendersOf(cast)];
  const orders: Order[] = [];
  const keepOrdering = async (): Promise<void> => {
    for (let merchant = waiting.shift(); merchant; merchant = waiting.shift())
      orders.push(await orderOnce(merchant, history, cast));
  };
  await Promise.all(Array.from({ length: LANES }, keepOrdering));
  for (const order of orders.filter((each) => !isAcknowledged(each) && !isRefused(each)))
    history.surprises.push(`${order.clientTransactionId}: ordered after the faults, and not accepted at once`);
  await untilEnded(transfersDatabaseUrl, ENDED_MS).catch(() =>
    history.surprises.push(`the orders after the faults did not all end within ${ENDED_MS} ms`),
  );
}

async function orderOnce(merchant: Merchant, history: History, { recipients }: Cast): Promise<Order> {
  const order = drawTransfer(merchant, history, recipients);
  history.orders.push(order);
  await sendOnce(merchant, history, order);
  return order;
}
