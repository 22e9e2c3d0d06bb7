import type { Booked } from '@vuka/local/testing/booked';
import type pg from 'pg';
import { figuresOf, ordered } from './check-payments.ts';
import type { Completion } from './provider-record.ts';

/** Once a transfer has ended, a report that contradicts its outcome is named for that, whatever its figures. */
const RAISED = `
  select distinct money_transfer_id as payout from payout_exceptions
  where kind in ('different_amount', 'different_currency', 'different_msisdn', 'contradicting_outcome')`;

/** The payouts with an exception for a report that differs from the order. */
export async function readObjections(books: pg.Client): Promise<Set<string>> {
  const { rows } = await books.query<{ payout: string }>(RAISED);
  return new Set(rows.map(({ payout }) => payout));
}

/** The accepted callbacks that report another amount, currency or number as paid than was ordered. */
export function findDifferent(rows: readonly Booked[], completions: readonly Completion[]): Completion[] {
  const figures = new Map(rows.flatMap((row) => row.payouts.map((payout) => [payout, ordered(row)])));
  return completions.filter((report) => figures.has(report.id) && figuresOf(report) !== figures.get(report.id));
}

/**
 * A callback that reports other figures than the order is an exception for an administrator: an acceptance of it would
 * settle what may have been paid to somebody else. Returns a line per payout without one.
 */
export function checkCallbacks(different: readonly Completion[], objections: ReadonlySet<string>): string[] {
  const missed = different.filter(({ id }) => !objections.has(id));
  return [...Map.groupBy(missed, ({ id }) => id).values()].map(
    ([report]) => `payout ${report?.id}: reported as ${report && figuresOf(report)}, and no exception was raised`,
  );
}
