export type StatusPlace = 'list' | 'narrow-list' | 'receipt';
type StatusTone = 'green' | 'yellow' | 'red' | 'grey';

export interface StatusView {
  text: string;
  tone: StatusTone;
}

// Three words of three times for one fact.
const SETTLED = ['SETTLED', 'SUCCESS', 'COMPLETED'];

/** How a status reads at a place. Lists call all that is neither settled nor failed yellow; the receipt, all but PENDING grey. */
export function statusView(status: string, place: StatusPlace): StatusView {
  const word = status.toUpperCase();
  const isSettled = SETTLED.includes(word);
  const text = place === 'narrow-list' ? (isSettled ? 'settled' : word.toLowerCase()) : word;
  if (isSettled) return { text, tone: 'green' };
  if (word === 'FAILED') return { text, tone: 'red' };
  if (place === 'receipt') return { text, tone: word === 'PENDING' ? 'yellow' : 'grey' };
  return { text, tone: 'yellow' };
}
