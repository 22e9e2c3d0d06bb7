import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { insist, LATE_WITHIN_MS, noteSurprise, REPEATED_WITHIN_MS } from './calls.ts';
import { nextOrder, type Recipients } from './draw-order.ts';
import { sendForbidden } from './forbidden.ts';
import type { History } from './history.ts';
import type { Merchant } from './merchants.ts';
import { sendUntilClear, signInAgain } from './sending.ts';

const PINS = ['7391', '8264', '5937', '4618'] as const;
const ORDERS_BETWEEN = 4;
const WHY = 'sent with the PIN of before its change';
/** Each order with the old PIN is a wrong PIN, and a session ends after thirty. */
const CHANGES_OF_A_SESSION = 5;

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
    // A correct PIN first: it resets the count of wrong PINs.
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

/** Repeats the change until it is confirmed. Returns the number of requests, or undefined if it is never confirmed. */
async function changePin(merchant: Merchant, history: History): Promise<number | undefined> {
  const newPin = merchant.random.pick(PINS.filter((pin) => pin !== merchant.pin));
  const answer = await insist(merchant.client, history, {
    path: '/api/change-pin',
    body: { currentPin: merchant.pin, newPin },
    headers: { 'idempotency-key': randomUUID() },
  });
  if (answer?.answer.status === 200) {
    merchant.pin = newPin;
    return answer.tries;
  }
  if (answer) noteSurprise(history, 'a change of the PIN', answer.answer);
  return undefined;
}
