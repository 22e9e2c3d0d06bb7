import type { Booked } from '@vuka/local/testing/booked';
import type { Asked } from './provider-record.ts';

/** A request begun before a promotion may end this long after it, ms: a quarter of the grace time, and transit. */
const LATE_MS = 3_000;

/**
 * After a promotion a refused request does not prove that nothing was paid: the promoted books may lack a request that
 * was sent before. So no transfer may fail on refusals alone, without the provider's answer, after the last of them, that
 * it does not know the payout. Returns a line per contradiction.
 */
export function checkFirstRefusals(
  rows: readonly Booked[],
  { asked, denials }: { asked: readonly Asked[]; denials: ReadonlyMap<string, readonly number[]> },
  promotions: readonly number[],
): string[] {
  const first = Math.min(...promotions);
  const failed = new Set(rows.filter(({ status }) => status === 'FAILED').map(({ id }) => id));
  const isProved = ({ id, atMs }: Asked) => denials.get(id)?.some((deniedMs) => deniedMs >= atMs) ?? false;
  const isUnproved = (requests: readonly Asked[]) => {
    const last = requests.at(-1);
    return last && requests.every(({ isRefused }) => isRefused) && last.atMs > first + LATE_MS && !isProved(last);
  };
  return [...Map.groupBy(asked, ({ transferId }) => transferId)]
    .filter(([id, requests]) => failed.has(id) && isUnproved(requests))
    .map(([id]) => `${id}: failed by refused requests alone, after a promotion`);
}
