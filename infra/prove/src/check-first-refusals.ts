import type { Booked } from '@vuka/local/testing/booked';
import type { Asked } from './provider-record.ts';

/** A request begun before a promotion may end this long after it, ms: a quarter of the grace time, and transit. */
const LATE_MS = 3_000;

/**
 * After a promotion a refused first request does not prove that nothing was paid: the promoted books may lack a request
 * that was sent before. So no transfer may fail on that refusal alone. Returns a line per contradiction.
 */
export function checkFirstRefusals(
  rows: readonly Booked[],
  { asked, inquired }: { asked: readonly Asked[]; inquired: ReadonlySet<string> },
  promotions: readonly number[],
): string[] {
  const first = Math.min(...promotions);
  const failed = new Set(rows.filter(({ status }) => status === 'FAILED').map(({ id }) => id));
  const isUnproved = (request: Asked) =>
    request.isRefused && request.atMs > first + LATE_MS && !inquired.has(request.id);
  return [...Map.groupBy(asked, ({ transferId }) => transferId)]
    .filter(([id, requests]) => failed.has(id) && requests.length === 1 && requests.every(isUnproved))
    .map(([id]) => `${id}: failed by the refusal of its first request, after a promotion`);
}
