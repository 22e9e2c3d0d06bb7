import type { Booked } from '@vuka/local/testing/booked';
import type pg from 'pg';
import { figuresOf, ordered } from './check-payments.ts';
import type { Figures } from './provider-record.ts';

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
export function findDifferent(rows: readonly Booked[], completions: readonly Figures[]): Figures[] {
  const figures = new Map(rows.flatMap((row) => row.payouts.map((payout) => [payout, ordered(row)])));
  return completions.filter((report) => figures.has(report.id) && figuresOf(report) !== figures.get(report.id));
}

/**
 * A callback whose figures differ from the order must raise an exception: the money may have gone to somebody else.
 * Returns a line for each payout without one.
 */
export function checkCallbacks(different: readonly Figures[], objections: ReadonlySet<string>): string[] {
  const missed = different.filter(({ id }) => !objections.has(id));
  const once = new Map(missed.map((report) => [report.id, report]));
  return [...once.values()].map(
    (report) => `payout ${report.id}: reported as ${figuresOf(report)}, and no exception was raised`,
  );
}
