import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '@vuka/local/testing/api-client';
import type { Administrator } from './administrators.ts';
import { noteUnexpected, post } from './calls.ts';
import { eastAfricanDay } from './east-african-day.ts';
import { LONGEST_CLOCK_STEP_MS } from './fault-windows.ts';
import { type History, isAcknowledged } from './history.ts';
import { orUnavailable, query } from './postgres-node.ts';
import type { Random } from './random.ts';

/** Retries pick one of this many latest orders: most are in progress, some have ended. */
const LATEST = 100;
const RETRIES_PER_RECONCILIATION = 10;

/**
 * Until stopped, an administrator retries transfers, whether or not they need it, and has the day reconciled. Neither
 * may change an outcome; the comparison with the provider's record would show it.
 */
export async function keepOverseeing(
  { client }: Administrator,
  history: History,
  options: { random: Random; transfersDatabaseUrl: string; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const { random, transfersDatabaseUrl, pauseMs, signal } = options;
  for (let turn = 1; !signal.aborted; turn++) {
    await retryOne(client, history, random);
    if (turn % RETRIES_PER_RECONCILIATION === 0) await reconcile(client, history, transfersDatabaseUrl);
    await delay(random.between(0, pauseMs * 2));
  }
}

async function retryOne(client: ApiClient, history: History, random: Random): Promise<void> {
  const latest = history.orders.slice(-LATEST).filter(isAcknowledged);
  if (latest.length === 0) return;
  const id = random.pick(latest).acknowledged[0];
  const answer = await post(client, history, { path: `/api/admin/transactions/${id}/retry`, body: {} });
  // 409: it has ended, or waits for a decision.
  noteUnexpected(history, `a retry of ${id}`, { answer, expected: [202, 409] });
}

/** A run that a fault interrupted would block new ones for 90 minutes; after five it is surely over. */
const ABANDON = `
  update reconciliations set started_at = started_at - interval '2 hours'
  where state = 'running' and started_at between now() - interval '1 hour' and now() - interval '5 minutes'`;

async function reconcile(client: ApiClient, history: History, transfersDatabaseUrl: string): Promise<void> {
  await query(transfersDatabaseUrl, ABANDON).catch(orUnavailable(undefined));
  // By a clock of the product that was set back, a later day may not have begun.
  const day = eastAfricanDay(Date.now() - LONGEST_CLOCK_STEP_MS);
  const answer = await post(client, history, { path: '/api/admin/reconciliation/runs', body: { day } });
  // 409: one is running, or was interrupted by a fault.
  noteUnexpected(history, 'a reconciliation', { answer, expected: [202, 409] });
  if (answer?.status === 202) history.reconciliations += 1;
}
