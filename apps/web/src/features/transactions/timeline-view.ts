import type { TextCodes } from '@vuka/contracts/http/common';
import { isFinalStatus, type TimelineRow } from '#shared/api/receipts.api.ts';
import { hasFailed, isSettled } from '#shared/status-view.ts';

export type StepState = 'done' | 'current' | 'failed' | 'upcoming';

type StepName = 'received' | 'sending' | 'delivered' | 'waiting' | 'failed' | 'cancelled';

export interface TimelineStep {
  name: StepName;
  state: StepState;
  at?: string;
  note?: string;
  codes?: TextCodes | undefined;
}

/** Notes that say no more than the name of their step. */
const NAMED_BY_STEP = ['transfer_received', 'deposit_received', 'withdrawal_received', 'delivered'];

function noteOf({ notes, codes }: TimelineRow): Pick<TimelineStep, 'note' | 'codes'> {
  const isName = codes?.length && codes.every(({ code }) => NAMED_BY_STEP.includes(code));
  return notes && !isName ? { note: notes, codes } : {};
}

function nameOf(row: TimelineRow, isFirst: boolean): StepName {
  const status = row.status.toUpperCase();
  if (isSettled(status)) return 'delivered';
  if (status === 'FAILED') return 'failed';
  if (status === 'CANCELLED') return 'cancelled';
  if (status === 'PROCESSING') return 'sending';
  return isFirst ? 'received' : 'waiting';
}

function stateOf(row: TimelineRow, isLast: boolean): StepState {
  if (hasFailed(row.status)) return 'failed';
  return isLast && !isFinalStatus(row.status) ? 'current' : 'done';
}

/** Merges consecutive rows of one status into one step, with the first time and the last note. */
function mergeRepeats(rows: readonly TimelineRow[]): TimelineRow[] {
  const merged: TimelineRow[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    if (last?.status.toUpperCase() === row.status.toUpperCase()) {
      const { notes, codes } = row.notes === null ? last : row;
      merged[merged.length - 1] = { ...last, notes, codes };
    } else merged.push(row);
  }
  return merged;
}

/** The steps so far, oldest first, and the steps still to come. */
export function timelineSteps(rows: readonly TimelineRow[]): TimelineStep[] {
  const sorted = mergeRepeats([...rows].sort((a, b) => a.timestamp.localeCompare(b.timestamp)));
  const steps: TimelineStep[] = sorted.map((row, index) => {
    const [name, state] = [nameOf(row, index === 0), stateOf(row, index === sorted.length - 1)];
    // "Sending it to the mobile network" is not true any more; but before a failure, the step says why.
    const isOver = name === 'sending' && state === 'done' && !hasFailed(sorted[index + 1]?.status ?? '');
    return { name, state, at: row.timestamp, ...(isOver ? {} : noteOf(row)) };
  });
  const last = sorted.at(-1);
  if (!last || isFinalStatus(last.status)) return steps;
  const hasLeft = sorted.some((row) => row.status.toUpperCase() === 'PROCESSING');
  if (!hasLeft) steps.push({ name: 'sending', state: 'upcoming' });
  steps.push({ name: 'delivered', state: 'upcoming' });
  return steps;
}

/**
 * The stage of a transfer whose money is still held; the receipt shows it with what happens next, and when. Undefined
 * once the transfer has ended.
 */
export function heldStage(rows: readonly TimelineRow[]): 'received' | 'sending' | 'waiting' | undefined {
  const current = timelineSteps(rows).find(({ state }) => state === 'current');
  return current && current.name !== 'delivered' && current.name !== 'failed' && current.name !== 'cancelled'
    ? current.name
    : undefined;
}
