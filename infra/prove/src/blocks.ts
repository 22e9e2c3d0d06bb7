import { setTimeout as delay } from 'node:timers/promises';
import type { Administrator } from './administrators.ts';
import { type ClearAnswer, insist, LATE_WITHIN_MS, noteSurprise, post, REPEATED_WITHIN_MS } from './calls.ts';
import { nextOrder, type Recipients } from './draw-order.ts';
import { sendForbidden } from './forbidden.ts';
import type { History } from './history.ts';
import type { Merchant } from './merchants.ts';
import { sendOnce, sendUntilClear, signInAgain } from './sending.ts';

const ORDERS_BETWEEN = 5;
const FORBIDDEN_ORDERS = 4;
const WHY = 'sent while its sender was blocked';

interface Options {
  recipients: Recipients;
  signal: AbortSignal;
}

/** Until stopped, an administrator blocks and unblocks a merchant who keeps ordering. Leaves the merchant unblocked. */
export async function keepBlocking(
  merchant: Merchant,
  administrator: Administrator,
  history: History,
  { recipients, signal }: Options,
): Promise<void> {
  while (!signal.aborted) {
    for (let sent = 0; sent < ORDERS_BETWEEN; sent++)
      await sendUntilClear(merchant, history, await nextOrder(merchant, history, recipients));
    merchant.isBlocked = true;
    history.blocked.add(merchant.userId);
    // Sent while the block is set: it may be accepted or refused.
    const racing = sendOnce(merchant, history, await nextOrder(merchant, history, recipients));
    const block = await setBlock(merchant, administrator, history);
    await racing;
    if (block) await expectLockedOut(merchant, history, recipients);
    await delay(block?.tries === 1 ? REPEATED_WITHIN_MS : LATE_WITHIN_MS);
    await expectLockedOut(merchant, history, recipients);
    await unblock(merchant, administrator, history);
  }
}

/** Every order and every new sign-in must be refused. */
async function expectLockedOut(merchant: Merchant, history: History, recipients: Recipients): Promise<void> {
  for (let sent = 0; sent < FORBIDDEN_ORDERS; sent++)
    await sendForbidden(merchant, history, { why: WHY, statuses: [401, 403], recipients });
  const body = { username: merchant.email, pin: merchant.pin };
  const entered = await post(merchant.client, history, { path: '/api/login', body });
  if (entered?.status === 200) history.surprises.push(`${merchant.userId}: signed in while blocked`);
}

/** Undefined if the product did not confirm the change. */
async function setBlock(
  { userId, isBlocked }: Merchant,
  { client }: Administrator,
  history: History,
): Promise<ClearAnswer | undefined> {
  const request = { path: `/api/admin/merchants/${userId}/toggle-block`, body: { isBlocked } };
  const set = await insist(client, history, request);
  if (set?.answer.status === 200 && set.answer.body.isBlocked === isBlocked) return set;
  if (set) noteSurprise(history, request.path, set.answer);
  return undefined;
}

async function unblock(merchant: Merchant, administrator: Administrator, history: History): Promise<void> {
  merchant.isBlocked = false;
  const set = await setBlock(merchant, administrator, history);
  await signInAgain(merchant, history);
  await delay(set?.tries === 1 ? REPEATED_WITHIN_MS : LATE_WITHIN_MS);
}
