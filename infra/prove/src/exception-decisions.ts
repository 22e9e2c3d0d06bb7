import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '@vuka/local/testing/api-client';
import type { Administrator } from './administrators.ts';
import { noteUnexpected, post, READ } from './calls.ts';
import type { History } from './history.ts';
import { orUnavailable, query } from './postgres-node.ts';

/** 409: the transfer has ended meanwhile, the provider has reported something else, or the exception was resolved. */
const CLEAR = [200, 409];

/**
 * Until stopped, an administrator decides on the exceptions that hold transfers, as the provider's books say, and sends
 * each decision twice. The decisions race with callbacks, inquiries and retries; the comparison with the provider's record
 * shows whether one of them paid twice or gave back what was paid. Other exceptions stay open for that comparison.
 */
export async function keepDecidingExceptions(
  { client }: Administrator,
  history: History,
  { providerUrl, pauseMs, signal }: { providerUrl: string; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const held = await listHeld(client, history);
    const outcomes = await readOutcomes(
      providerUrl,
      held.map(({ payoutId }) => payoutId),
    );
    for (const { id, payoutId, details } of held) {
      const outcome = outcomes.get(payoutId);
      if (outcome) await decideTwice(client, history, { id, outcome, seen: details });
    }
    await delay(pauseMs);
  }
}

interface Held {
  id: string;
  payoutId: string;
  details: Record<string, unknown>;
}

/** Empty while the product is unavailable. */
async function listHeld(client: ApiClient, history: History): Promise<Held[]> {
  const answer = await client.get('/api/admin/reconciliation').catch(() => undefined);
  noteUnexpected(history, 'reading exceptions', { answer, expected: READ });
  const exceptions: (Held & { holdsTransfer: boolean })[] = answer?.body.exceptions ?? [];
  return exceptions.filter(({ holdsTransfer }) => holdsTransfer);
}

type Outcome = 'paid' | 'not_paid';

const ENDED = `
  select id::text, case when paid then 'paid' else 'not_paid' end as outcome
  from (select *, exists (select from ledger where ledger.id = payouts.id) as paid from payouts) as payouts
  where id = any($1::uuid[]) and (paid or (status = 'FAILED' and step_at is null))`;

/** How the provider has ended these payouts; without those still under way. Empty while its server is unavailable. */
async function readOutcomes(providerUrl: string, payoutIds: readonly string[]): Promise<Map<string, Outcome>> {
  if (payoutIds.length === 0) return new Map();
  const rows = await query<{ id: string; outcome: Outcome }>(providerUrl, ENDED, [payoutIds]).catch(orUnavailable([]));
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

async function decideTwice(
  client: ApiClient,
  history: History,
  { id, outcome, seen }: { id: string; outcome: Outcome; seen: Held['details'] },
): Promise<void> {
  const path = `/api/admin/reconciliation/exceptions/${id}/resolve`;
  const body = { outcome, note: 'as the provider says', seen, pin: client.pin };
  const answers = await Promise.all([post(client, history, { path, body }), post(client, history, { path, body })]);
  if (answers.some((answer) => answer?.status === 200)) history.decidedExceptions += 1;
  for (const answer of answers)
    noteUnexpected(history, `a decision on an exception, ${outcome}`, { answer, expected: CLEAR });
}
