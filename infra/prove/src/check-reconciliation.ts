import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ApiClient } from '@vuka/local/testing/api-client';
import type { Payment } from '@vuka/local/testing/booked';
import { until } from '@vuka/test-kit/until';
import type pg from 'pg';
import type { Administrator } from './administrators.ts';
import { eastAfricanDay } from './east-african-day.ts';

const RECONCILED_MS = 120_000;
/** Differences between statement and books. The other kinds concern reports, which some faults falsify on purpose. */
const DIFFERENCES = ['paid_without_order', 'paid_but_failed', 'paid_twice', 'different_figures', 'not_on_statement'];

const UNRESOLVED = `
  select kind, money_transfer_id as payout from payout_exceptions
  where state <> 'resolved' and kind = any($1::text[]) order by created_at`;

interface Run {
  state: string;
  error: string | null;
  lines: number | null;
  matched: number | null;
}

/**
 * The product's own reconciliation must find no difference on any day with payments. Its results are read from its
 * tables, since the public list of differences has a limit. Returns a line per contradiction.
 */
export async function checkReconciliation(
  { client: admin }: Administrator,
  books: pg.Client,
  payments: readonly Payment[],
): Promise<string[]> {
  const violations: string[] = [];
  await abandonInterrupted(books);
  for (const day of new Set(payments.map(({ paidAt }) => eastAfricanDay(Date.parse(paidAt))))) {
    const { status, body } = await requestRun(admin, day);
    if (status !== 202) {
      violations.push(`the reconciliation of ${day} answers ${status}`);
      continue;
    }
    const findRun = async () =>
      (await books.query<Run>('select state, error, lines, matched from reconciliations where id = $1', [body.id]))
        .rows[0];
    const isDone = async () => (await findRun())?.state !== 'running';
    await until(isDone, { timeoutMs: RECONCILED_MS, everyMs: 500, what: `${day} to be reconciled` });
    const run = await findRun();
    if (run?.state !== 'completed') violations.push(`${day} was not reconciled: ${run?.error}`);
    else if (!run.lines || !run.matched)
      violations.push(
        `${day} was reconciled with ${run.lines} lines of the statement, of which ${run.matched} matched`,
      );
  }
  // With a wrong clock a statement may be fetched too early and lack a payment; a later statement resolves that.
  const { rows } = await books.query<{ kind: string; payout: string }>(UNRESOLVED, [DIFFERENCES]);
  return [...violations, ...rows.map(({ kind, payout }) => `payout ${payout}: ${kind}`)];
}

/** The product begins runs of its own after midnight. */
async function requestRun(admin: ApiClient, day: string): Promise<Answer> {
  const ask = () => admin.post('/api/admin/reconciliation/runs', { day });
  let answer = await ask();
  for (const endMs = Date.now() + RECONCILED_MS; answer.status === 409 && Date.now() < endMs; answer = await ask())
    await delay(500);
  return answer;
}

/** A run that a fault interrupted blocks new runs for 90 minutes; the proof does not wait that long. */
async function abandonInterrupted(books: pg.Client): Promise<void> {
  await books.query("update reconciliations set started_at = started_at - interval '2 hours' where state = 'running'");
}
