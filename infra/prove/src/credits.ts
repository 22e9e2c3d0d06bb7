import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, ADMIN_PIN as PIN } from '@vuka/local/testing/api-client';
import { RATED } from '@vuka/money/directions';
import type { Credit, History } from './history.ts';
import { type Merchant, REPEAT_MS } from './merchants.ts';

/** Small, so that no credit needs a second administrator. */
const AMOUNT = 10;

/** An administrator credits one merchant after the other, each time under a key of its own, until stopped. */
export async function keepCrediting(
  admin: ApiClient,
  merchants: readonly Merchant[],
  history: History,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<void> {
  for (let next = 0; !signal.aborted; next++) {
    const merchant = merchants[next % merchants.length];
    if (!merchant) return;
    const { userId, merchantId } = merchant;
    const credit: Credit = { key: randomUUID(), userId, merchantId, amount: BigInt(AMOUNT) * 100n, isDone: false };
    history.credits.push(credit);
    await creditOnce(admin, history, credit);
    await delay(pauseMs);
  }
}

/** Repeats a credit under its key until there is a clear answer. */
export async function creditUntilClear(admin: ApiClient, history: History, credit: Credit): Promise<void> {
  for (const deadline = Date.now() + history.patienceMs; Date.now() < deadline && !credit.isDone; ) {
    await creditOnce(admin, history, credit);
    if (!credit.isDone) await delay(REPEAT_MS);
  }
  if (!credit.isDone) history.surprises.push(`credit ${credit.key}: no clear answer within ${history.patienceMs} ms`);
}

async function creditOnce(admin: ApiClient, history: History, credit: Credit): Promise<void> {
  const { merchantId, key } = credit;
  history.requests += 1;
  const body = { merchantId, amount: AMOUNT, currency: RATED.source };
  const answer = await admin.post('/api/admin/credit-balance', body, { 'idempotency-key': key }).catch(() => undefined);
  if (answer?.status === 201) credit.isDone = true;
  // The last confirmation is too old: given again, like the web app does.
  else if (answer?.body.code === 'step_up_required')
    await admin.post('/api/admin/step-up', { pin: PIN }).catch(() => undefined);
  else if (answer && answer.status !== 503)
    history.surprises.push(`a credit: ${answer.status} ${JSON.stringify(answer.body)}`);
}
