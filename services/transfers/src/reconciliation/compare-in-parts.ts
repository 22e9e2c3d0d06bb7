import type { Db } from '#db/schema.ts';
import type { StatementLine } from '#payouts/payout-provider.ts';
import { type BookedPayout, type Comparison, compareStatement } from './compare-statement.ts';
import { findBooked, findMissing, findPaidAt } from './reconciliation.store.ts';

/** As many of our payouts are in memory at once. Between two parts, the process accepts orders. */
const PAYOUTS_AT_ONCE = 5_000;

interface Day {
  db: Db;
  /** See `compareStatement`. */
  lines: readonly StatementLine[];
  isOfDay: (line: StatementLine) => boolean;
  /** The ids of our payouts completed on that day. */
  completed: readonly string[];
}

/**
 * Compares a day like `compareStatement`, a few thousand payouts at a time: a busy day's statement fills most of the
 * memory, so our payouts must not be there as well. `onStatement`: the payouts that the lines name.
 */
export async function compareInParts({
  db,
  lines,
  isOfDay,
  completed,
}: Day): Promise<Comparison & { onStatement: Pick<ReadonlySet<string>, 'has'> }> {
  const payments = Map.groupBy(lines, (line) => line.clientPayoutId);
  const whole: Comparison = { lines: 0, matched: [], late: [], waiting: [], differences: [] };
  const paid: string[] = [];
  for (const [id, of] of payments) if (of.some(isOfDay)) paid.push(id);
  for (const ids of partsOf(paid)) {
    const ofPart = ids.flatMap((id) => payments.get(id) ?? []);
    const booked = await findBooked(db, ids);
    const earlier = { paidAt: await findPaidAt(db, ids), missing: await findMissing(db, ids) };
    append(whole, compareStatement({ lines: ofPart, isOfDay, booked, completed: [], earlier }));
  }
  for (const ids of partsOf(completed.filter((id) => !payments.has(id)))) {
    const booked = await findBooked(db, ids);
    const ours: BookedPayout[] = ids.flatMap((id) => booked.get(id) ?? []);
    const earlier = { paidAt: await findPaidAt(db, ids), missing: new Set<string>() };
    append(whole, compareStatement({ lines: [], isOfDay, booked, completed: ours, earlier }));
  }
  return { ...whole, onStatement: payments };
}

function* partsOf(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += PAYOUTS_AT_ONCE) yield ids.slice(start, start + PAYOUTS_AT_ONCE);
}

function append(whole: Comparison, part: Comparison): void {
  whole.lines += part.lines;
  whole.matched.push(...part.matched);
  whole.late.push(...part.late);
  whole.waiting.push(...part.waiting);
  whole.differences.push(...part.differences);
}
