import type pg from 'pg';
import type { LaterFact } from './later-facts.ts';

interface Entry {
  id: string;
  reference: string;
  approval: string;
}

/**
 * Says what to do about credits, deposits, adjustments, and what was refused. In the restored books their entries may wait
 * for approval again, or be completed after the start, so entering them again would make them twice. `admin` is the
 * restored database. Drops entries whose movement is listed too.
 */
export async function adviseOnEntries(admin: pg.Client, facts: readonly LaterFact[]): Promise<LaterFact[]> {
  const moved = new Set(facts.map(({ entry }) => entry));
  const { rows } = await admin.query<Entry>(
    'select id, reference, approval from admin_deposits where id = any($1::uuid[])',
    [[...moved].filter((id) => id !== '')],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return facts
    .filter(({ kind, id }) => !(isRequest(kind) && moved.has(id)))
    .map((fact) => ({ ...fact, action: actionOf(fact, known.get(fact.entry)) }));
}

const isRequest = (kind: string): boolean => kind.endsWith(' request');

function actionOf({ kind, statusThen, statusNow }: LaterFact, entry: Entry | undefined): string {
  const isEntered = isRequest(kind) || kind === 'adjustment';
  if (statusThen === 'refused') return statusNow ? 'refuse it again' : 'none: it was refused';
  if (isEntered && statusNow) return 'do not enter it again: it waits for approval again';
  if (entry?.approval === 'awaiting_approval')
    return `do not enter it again: ${entry.reference} waits for approval again`;
  if (entry) return `do not enter it again: ${entry.reference} completes by itself`;
  return isEntered || (kind === 'deposit' && !statusNow) ? 'enter it again' : '';
}
