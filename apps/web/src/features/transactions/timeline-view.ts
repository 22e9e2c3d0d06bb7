import type { TimelineRow } from '#shared/api/transactions.api.ts';
import { isFinalStatus } from '#shared/api/transactions.api.ts';

export type StepState = 'done' | 'current' | 'failed' | 'upcoming';

export interface TimelineStep {
  label: string;
  state: StepState;
  at?: string;
  note?: string;
}

const LABEL = {
  received: 'Request received',
  sending: 'On its way',
  delivered: 'Delivered',
  waiting: 'Waiting for the provider',
  failed: 'Not delivered',
  cancelled: 'Cancelled',
} as const;

const SETTLED = ['SETTLED', 'SUCCESS', 'COMPLETED'];

function labelOf(row: TimelineRow, isFirst: boolean): string {
  const status = row.status.toUpperCase();
  if (SETTLED.includes(status)) return LABEL.delivered;
  if (status === 'FAILED') return LABEL.failed;
  if (status === 'CANCELLED') return LABEL.cancelled;
  if (status === 'PROCESSING') return LABEL.sending;
  return isFirst ? LABEL.received : LABEL.waiting;
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
    label: labelOf(row, index === 0),
    state: stateOf(row, index === sorted.length - 1),
    at: row.timestamp,
    ...(row.notes ? { note: row.notes } : {}),
  }));
  const last = sorted.at(-1);
  if (!last || isFinalStatus(last.status)) return steps;
  const hasLeft = sorted.some((row) => row.status.toUpperCase() === 'PROCESSING');
  if (!hasLeft) steps.push({ label: LABEL.sending, state: 'upcoming' });
  steps.push({ label: LABEL.delivered, state: 'upcoming' });
  return steps;
}
