import { isFinalStatus, type TimelineRow } from '#shared/api/receipts.api.ts';

export type StepState = 'done' | 'current' | 'failed' | 'upcoming';

type StepName = 'received' | 'sending' | 'delivered' | 'waiting' | 'failed' | 'cancelled';

export interface TimelineStep {
  name: StepName;
  state: StepState;
  at?: string;
  note?: string;
}

const SETTLED = ['SETTLED', 'SUCCESS', 'COMPLETED'];

function nameOf(row: TimelineRow, isFirst: boolean): StepName {
  const status = row.status.toUpperCase();
  if (SETTLED.includes(status)) return 'delivered';
  if (status === 'FAILED') return 'failed';
  if (status === 'CANCELLED') return 'cancelled';
  if (status === 'PROCESSING') return 'sending';
  return isFirst ? 'received' : 'waiting';
}

function stateOf(row: TimelineRow, isLast: boolean): StepState {
  const status = row.status.toUpperCase();
  if (status === 'FAILED' || status === 'CANCELLED') return 'failed';
  return isLast && !isFinalStatus(status) ? 'current' : 'done';
}

/** Neighbouring rows of one status are one step for a reader: the first time and the last note of them. */
function mergeRepeats(rows: readonly TimelineRow[]): TimelineRow[] {
  const merged: TimelineRow[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    if (last?.status.toUpperCase() === row.status.toUpperCase()) {
      merged[merged.length - 1] = { ...last, notes: row.notes ?? last.notes };
    } else merged.push(row);
  }
  return merged;
}

/** What happened so far, oldest first, and what is still to come. */
export function timelineSteps(rows: readonly TimelineRow[]): TimelineStep[] {
  const sorted = mergeRepeats([...rows].sort((a, b) => a.timestamp.localeCompare(b.timestamp)));
  const steps: TimelineStep[] = sorted.map((row, index) => ({
    name: nameOf(row, index === 0),
    state: stateOf(row, index === sorted.length - 1),
    at: row.timestamp,
    ...(row.notes ? { note: row.notes } : {}),
  }));
  const last = sorted.at(-1);
  if (!last || isFinalStatus(last.status)) return steps;
  const hasLeft = sorted.some((row) => row.status.toUpperCase() === 'PROCESSING');
  if (!hasLeft) steps.push({ name: 'sending', state: 'upcoming' });
  steps.push({ name: 'delivered', state: 'upcoming' });
  return steps;
}

/**
 * How far a transfer is whose money is still held: said together with what happens next, and when.
 * Undefined once it has ended.
 */
export function heldStage(rows: readonly TimelineRow[]): 'received' | 'sending' | 'waiting' | undefined {
  const current = timelineSteps(rows).find(({ state }) => state === 'current');
  return current && current.name !== 'delivered' && current.name !== 'failed' && current.name !== 'cancelled'
    ? current.name
    : undefined;
}
