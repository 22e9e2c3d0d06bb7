import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@vuka/local/testing/api-client';
import { askedToWaitMs, isComeBackLater, noteSurprise, noteUnexpected, post, REPEAT_MS } from './calls.ts';
import { nextOrder, type Recipients } from './draw-order.ts';
import { type History, isUnknown, type Order } from './history.ts';
import type { Merchant } from './merchants.ts';
import { keepQuote } from './quoting.ts';

/** Sends one order after the other, in every way that clients do, until stopped. */
export async function keepSending(
  merchant: Merchant,
  history: History,
  options: { recipients: Recipients; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  while (!options.signal.aborted) {
    const order = await nextOrder(merchant, history, options.recipients);
    await sendAsDrawn(merchant, history, order);
    await delay(merchant.random.between(0, options.pauseMs * 2));
  }
}

async function sendAsDrawn(merchant: Merchant, history: History, order: Order): Promise<void> {
  const way = merchant.random.next();
  if (way < 0.6) return sendUntilClear(merchant, history, order);
  if (way < 0.8) {
    // A double tap, a retry that overtakes the first request, a second tab.
    await Promise.all(Array.from({ length: 3 }, () => sendUntilClear(merchant, history, order)));
    return;
  }
  // Sent once, by a phone that then lost its network: the outcome is unknown unless the answer arrived.
  if (way < 0.88) {
    await sendOnce(merchant, history, order);
    return;
  }
  if (way < 0.94) {
    await sendUntilClear(merchant, history, order);
    return sendWithOtherAmount(merchant, history, order);
  }
  await sendWithWrongPin(merchant, history, order);
  return sendUntilClear(merchant, history, order);
}

/** The share of repeats that ignore `Retry-After`. */
const IMPATIENT = 0.2;

/** Repeats an identical order until there is a clear answer. */
export async function sendUntilClear(merchant: Merchant, history: History, order: Order): Promise<void> {
  for (const deadline = Date.now() + history.patienceMs; Date.now() < deadline; ) {
    const answer = await sendOnce(merchant, history, order);
    if (!isUnknown(order)) return;
    await delay(merchant.random.next() < IMPATIENT ? REPEAT_MS : askedToWaitMs(answer));
  }
  history.surprises.push(`${order.clientTransactionId}: no clear answer within ${history.patienceMs} ms`);
}

export async function sendOnce(merchant: Merchant, history: History, order: Order): Promise<Answer | undefined> {
  const askedMs = Date.now();
  order.sentMs ||= askedMs;
  const answer = await post(merchant.client, history, order);
  if (answer?.status === 201 || answer?.status === 200)
    order.acknowledged.push((answer.body.transaction ?? answer.body.withdrawal).id);
  else if (answer?.status === 422) order.refused.push(answer.body.code);
  else if (answer && isPriceChanged(answer)) {
    order.isRepriced = true;
    order.repricedMs = askedMs;
    if (answer.body.quote) merchant.quotes.push(keepQuote(history, answer.body.quote, askedMs));
  } else {
    order.unclear += 1;
    const isLockedOut = merchant.isBlocked && [401, 403].includes(answer?.status ?? 0);
    if (answer && !isLockedOut && !isComeBackLater(answer)) noteSurprise(history, 'an order', answer);
  }
  // Updated by each of several parallel requests, because the price may be that of the last one.
  if (!isUnknown(order)) order.clearMs = Date.now();
  return answer;
}

/** The answer carries the new price: a quote, or for a withdrawal its fee. */
const isPriceChanged = ({ status, body }: Answer): boolean =>
  status === 409 && (body.quote !== undefined || body.price !== undefined);

/** The same id with another amount is refused, whether or not the first order arrived. */
async function sendWithOtherAmount({ client }: Merchant, history: History, order: Order): Promise<void> {
  // The first order was not accepted, so this one would be a new order.
  if (order.isRepriced) return;
  const other = order.direction ? { sourceAmount: '500', targetAmount: '11515' } : { amount: '500' };
  const answer = await post(client, history, { path: order.path, body: { ...order.body, ...other } });
  noteUnexpected(history, 'another order under a known id', { answer, expected: [409] });
  // A price refusal says that no order has this id.
  if (answer && isPriceChanged(answer) && !isUnknown(order))
    noteSurprise(history, 'another order under a known id', answer);
}

/**
 * A session ends after thirty wrong PINs. The network may deliver each of them twice, and the gateway repeats a check
 * whose answer was lost.
 */
const WRONG_PINS_OF_A_SESSION = 7;

async function sendWithWrongPin(merchant: Merchant, history: History, order: Order): Promise<void> {
  if (merchant.wrongPins === WRONG_PINS_OF_A_SESSION) await signInAgain(merchant, history);
  merchant.wrongPins += 1;
  const answer = await post(merchant.client, history, { path: order.path, body: { ...order.body, pin: '9753' } });
  noteUnexpected(history, 'a wrong PIN', { answer, expected: [401] });
}

/** Repeats until it succeeds, since services may be unavailable. */
export async function signInAgain(merchant: Merchant, history: History): Promise<void> {
  const form = { username: merchant.email, pin: merchant.pin };
  for (const deadline = Date.now() + history.patienceMs; Date.now() < deadline; ) {
    const answer = await merchant.client.post('/api/login', form).catch(() => undefined);
    if (answer?.status === 200) {
      merchant.wrongPins = 0;
      return;
    }
    await delay(REPEAT_MS);
  }
  history.surprises.push(`${merchant.email}: no sign-in within ${history.patienceMs} ms`);
}
