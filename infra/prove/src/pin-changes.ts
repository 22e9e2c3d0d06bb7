import { setTimeout as delay } from 'node:timers/promises';
import { isComeBackLater, LATE_WITHIN_MS, noteSurprise, post, REPEAT_MS, REPEATED_WITHIN_MS } from './calls.ts';
import { nextOrder, type Recipients } from './draw-order.ts';
import { sendForbidden } from './forbidden.ts';
import type { History } from './history.ts';
import type { Merchant } from './merchants.ts';
import { sendUntilClear, signInAgain } from './sending.ts';

const PINS = ['7391', '8264', '5937', '4618'] as const;
const ORDERS_BETWEEN = 4;
const WHY = 'sent with the PIN of before its change';
/** Each change may cost wrong PINs, and a session ends after thirty. */
const CHANGES_OF_A_SESSION = 5;
/** One more wrong PIN locks the account. */
const MOST_WRONG_PINS = 4;

interface Options {
  recipients: Recipients;
  signal: AbortSignal;
}

/** Until stopped, a merchant changes their PIN, orders with the new one, and sends one order with the old one. */
export async function keepChangingPin(
  merchant: Merchant,
  history: History,
  { recipients, signal }: Options,
): Promise<void> {
  for (let changes = 1; !signal.aborted; changes++) {
    for (let sent = 0; sent < ORDERS_BETWEEN; sent++) await orderOnce(merchant, history, recipients);
    const old = merchant.pin;
    const tries = await changePin(merchant, history);
    if (tries === undefined) return;
    // A correct PIN first: it resets the count of wrong PINs, which a repeated change has increased.
    await orderOnce(merchant, history, recipients);
    await sendForbidden({ ...merchant, pin: old }, history, { why: WHY, statuses: [401], recipients });
    await orderOnce(merchant, history, recipients);
    await delay(tries === 1 ? REPEATED_WITHIN_MS : LATE_WITHIN_MS);
    if (changes % CHANGES_OF_A_SESSION === 0) await signInAgain(merchant, history);
  }
}

async function orderOnce(merchant: Merchant, history: History, recipients: Recipients): Promise<void> {
  await sendUntilClear(merchant, history, await nextOrder(merchant, history, recipients));
}

/** Repeats the change until it is confirmed. Returns the number of requests, or undefined if it stays unconfirmed. */
async function changePin(merchant: Merchant, history: History): Promise<number | undefined> {
  const others = PINS.filter((pin) => pin !== merchant.pin);
  const newPin = merchant.random.pick(others);
  const request = { path: '/api/change-pin', body: { currentPin: merchant.pin, newPin } };
  const deadline = Date.now() + history.patienceMs;
  for (let tries = 1; Date.now() < deadline; tries++) {
    const answer = await post(merchant.client, history, request);
    // A repeat of a change that was made is refused, because the old PIN is wrong by then.
    if (answer?.status === 200 || (answer?.body.code === 'invalid_pin' && tries > 1)) {
      merchant.pin = newPin;
      return tries;
    }
    // The change was made, but all answers were lost, and each repeat counted as a wrong PIN.
    if (answer?.body.reason === 'pin_locked' && tries > MOST_WRONG_PINS) return undefined;
    if (answer && !isComeBackLater(answer)) noteSurprise(history, 'a change of the PIN', answer);
    await delay(REPEAT_MS);
  }
  history.surprises.push(`${merchant.userId}: no clear answer to a change of the PIN within ${history.patienceMs} ms`);
  return undefined;
}
