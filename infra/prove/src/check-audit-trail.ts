import { until } from '@vuka/test-kit/until';
import type { Decision, DecisionKind } from './history.ts';
import { query } from './postgres-node.ts';

/** Includes the retry delay of a message whose consumer had no database. */
const RECORDED_MS = 120_000;
const NAMED = 5;

const ACTIONS: Record<DecisionKind, string> = {
  approve: 'withdrawal.approved',
  refuse: 'withdrawal.refused',
  complete: 'withdrawal.paid',
  fail: 'withdrawal.not-paid',
};

const ENTRIES = `
  select subject_id || ' ' || action as entry, count(*)::int as times from audit_trail
  where action = any($1::text[]) group by subject_id, action`;

/**
 * The audit trail has each decision on a withdrawal once, however often it was repeated. It is written only from
 * messages, so a missing entry means a lost message. Returns a line per contradiction.
 */
export async function checkAuditTrail(
  databaseUrl: string,
  decisions: readonly Decision[],
  withinMs = RECORDED_MS,
): Promise<string[]> {
  const decided = decisions
    .filter(({ status }) => status === 200)
    .map(({ withdrawalId, kind }) => `${withdrawalId} ${ACTIONS[kind]}`);
  let found = new Map<string, number>();
  const missing = () => [...new Set(decided)].filter((entry) => !found.has(entry));
  const isComplete = async () => {
    const rows = await query<{ entry: string; times: number }>(databaseUrl, ENTRIES, [Object.values(ACTIONS)]);
    found = new Map(rows.map(({ entry, times }) => [entry, times]));
    return missing().length === 0;
  };
  const waited = { timeoutMs: withinMs, everyMs: 500, what: 'every decision to be in the audit trail' };
  const isRead = await until(isComplete, waited).then(
    () => true,
    () => found.size > 0 || decided.length === 0,
  );
  if (!isRead) return ['the audit trail has no decision, or could not be read'];
  const lacking = missing();
  const lines =
    lacking.length > 0
      ? [`${lacking.length} decisions are not in the audit trail: ${lacking.slice(0, NAMED).join(', ')}`]
      : [];
  const doubled = [...found].filter(([, times]) => times > 1);
  return [...lines, ...doubled.map(([entry, times]) => `${entry}: ${times} times in the audit trail`)];
}
