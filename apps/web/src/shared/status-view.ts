import { i18n } from '#shared/i18n/i18n.ts';

/** The words of a status, in lower case; lists and receipts show them in capitals. */
export const STATUS_MESSAGES = i18n('status-view', {
  pending: 'pending',
  processing: 'processing',
  settled: 'settled',
  success: 'success',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
});

export type StatusPlace = 'list' | 'narrow-list' | 'receipt';
type StatusTone = 'green' | 'yellow' | 'red' | 'grey';

export interface StatusView {
  text: string;
  tone: StatusTone;
}

// Three words, from three versions, for the same status.
const SETTLED = ['SETTLED', 'SUCCESS', 'COMPLETED'];

export const isSettled = (status: string): boolean => SETTLED.includes(status.toUpperCase());

/** Whether the money did not move in the end. */
export const hasFailed = (status: string): boolean => ['FAILED', 'CANCELLED'].includes(status.toUpperCase());

function wordOf(status: string): string {
  const words: Record<string, string> = STATUS_MESSAGES.get();
  return words[status.toLowerCase()] ?? status.toLowerCase();
}

/**
 * How a status is shown in a place. A status that is neither settled nor failed is yellow in lists; on a receipt it is
 * yellow if PENDING, else grey.
 */
export function statusView(status: string, place: StatusPlace): StatusView {
  const word = status.toUpperCase();
  const settled = isSettled(status);
  const text = place === 'narrow-list' ? wordOf(settled ? 'settled' : word) : wordOf(word).toUpperCase();
  if (settled) return { text, tone: 'green' };
  if (word === 'FAILED') return { text, tone: 'red' };
  if (place === 'receipt') return { text, tone: word === 'PENDING' ? 'yellow' : 'grey' };
  return { text, tone: 'yellow' };
}
