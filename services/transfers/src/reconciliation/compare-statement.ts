import { DAY_MS } from '@vuka/contracts/http/days';
import { formatMoney } from '@vuka/money';
import type { PayoutRow } from '#db/schema.ts';
import type { PayoutState } from '#db/states.ts';
import { type Evidence, evidenceOfLines } from '#payouts/evidence.ts';
import { misfitOf } from '#payouts/payout.domain.ts';
import type { PayoutReport, StatementLine } from '#payouts/payout-provider.ts';

/** A payout in our books. */
export type BookedPayout = Pick<
  PayoutRow,
  'id' | 'transaction_id' | 'state' | 'amount' | 'currency' | 'destination_account' | 'updated_at'
>;

/** What earlier statements said of the payouts. */
export interface EarlierStatements {
  /** By payout: the time of a payment that was on a statement before its payout was completed, or known to our books. */
  paidAt: ReadonlyMap<string, Date>;
  /** The payouts that were missing on the statement of the day on which they were completed. */
  missing: ReadonlySet<string>;
}

const NOTHING_EARLIER: EarlierStatements = { paidAt: new Map(), missing: new Set() };

interface Difference {
  kind: 'paid_without_order' | 'paid_but_failed' | 'paid_twice' | 'different_figures' | 'not_on_statement';
  payoutId: string;
  transactionId: string | null;
  ours: { state: PayoutState; amount: string; currency: string; msisdn: string } | null;
  theirs: { amount: string; currency: string; msisdn: string; recordedAt: string; payments: number } | null;
  evidence: Evidence;
}

export interface Comparison {
  lines: number;
  /** The payouts whose payments agree with our books. */
  matched: string[];
  /** The matched payments whose payouts were completed so much later that the statements of that day do not have them. */
  late: StatementLine[];
  /** Payments whose payout is still open in our books: compared when it has ended. */
  waiting: StatementLine[];
  differences: Difference[];
}

/**
 * Compares a day's payments on the provider's statement with our books, in both directions. `booked`: the payouts that
 * the lines name. `completed`: our payouts completed on that day. `lines` extend beyond the day, since the two clocks
 * may disagree about a payout at midnight; `isOfDay` selects those to account for.
 */
export function compareStatement(input: {
  lines: readonly StatementLine[];
  isOfDay: (line: StatementLine) => boolean;
  booked: ReadonlyMap<string, BookedPayout>;
  completed: readonly BookedPayout[];
  earlier: EarlierStatements;
}): Comparison {
  const payments = Map.groupBy(input.lines, (line) => line.clientPayoutId);
  const differences: Difference[] = [];
  let lines = 0;
  const waiting: StatementLine[] = [];
  const matched: StatementLine[] = [];
  for (const [payoutId, of] of payments) {
    const [first] = of;
    if (!first || !of.some(input.isOfDay)) continue;
    lines += of.filter(input.isOfDay).length;
    const ours = input.booked.get(payoutId);
    const kind = differenceOf(ours, of, input.earlier);
    if (kind) differences.push(toDifference(kind, payoutId, { ours, theirs: of }));
    else if (isOpen(ours)) waiting.push(first);
    else matched.push(first);
  }
  for (const ours of input.completed) {
    if (!payments.has(ours.id) && !input.earlier.paidAt.has(ours.id))
      differences.push(toDifference('not_on_statement', ours.id, { ours, theirs: [] }));
  }
  const late = matched.filter((line) => isLate(input.booked.get(line.clientPayoutId), line));
  return { lines, matched: matched.map((line) => line.clientPayoutId), late, waiting, differences };
}

/** Compares payments that waited for their payouts with those that have ended since. */
export function compareWaiting(
  waiting: readonly StatementLine[],
  booked: ReadonlyMap<string, BookedPayout>,
): Pick<Comparison, 'matched' | 'differences'> & { compared: StatementLine[] } {
  const compared = waiting.filter(({ clientPayoutId: id }) => !isOpen(booked.get(id)));
  const differences = compared.flatMap((line) => {
    const ours = booked.get(line.clientPayoutId);
    const kind = differenceOf(ours, [line], NOTHING_EARLIER);
    return kind ? [toDifference(kind, line.clientPayoutId, { ours, theirs: [line] })] : [];
  });
  const different = new Set(differences.map(({ payoutId }) => payoutId));
  const matched = compared.map((line) => line.clientPayoutId).filter((id) => !different.has(id));
  return { compared, matched, differences };
}

const isLate = (ours: BookedPayout | undefined, { recordedAt }: StatementLine) =>
  ours !== undefined && ours.updated_at.getTime() - recordedAt.getTime() > DAY_MS;

const isOpen = (ours: BookedPayout | undefined) =>
  ours !== undefined && ours.state !== 'completed' && ours.state !== 'failed';

function differenceOf(
  ours: BookedPayout | undefined,
  theirs: readonly StatementLine[],
  earlier: EarlierStatements,
): Difference['kind'] | undefined {
  if (!ours) return 'paid_without_order';
  if (theirs.length > 1 || isRepeat(ours, theirs, earlier)) return 'paid_twice';
  if (ours.state === 'failed') return 'paid_but_failed';
  const [line] = theirs;
  return line && misfitOf(ours, reportOf(line)) ? 'different_figures' : undefined;
}

/**
 * Whether a payout was paid before, on a statement of another day. A payment more than a day after its payout was
 * completed is a second one, unless the first was missing.
 */
function isRepeat(ours: BookedPayout, lines: readonly StatementLine[], earlier: EarlierStatements): boolean {
  const paidAt = earlier.paidAt.get(ours.id);
  if (paidAt) return !lines.some(({ recordedAt }) => recordedAt.getTime() === paidAt.getTime());
  if (ours.state !== 'completed' || earlier.missing.has(ours.id)) return false;
  return lines.every(({ recordedAt }) => recordedAt.getTime() - ours.updated_at.getTime() > DAY_MS);
}

/** Converts a line to a provider's report. */
function reportOf({ clientPayoutId, amountMinor, currency, msisdn }: StatementLine): PayoutReport {
  return { clientPayoutId, state: 'completed', amount: formatMoney(amountMinor), currency, msisdn };
}

function toDifference(
  kind: Difference['kind'],
  payoutId: string,
  { ours, theirs }: { ours: BookedPayout | undefined; theirs: readonly StatementLine[] },
): Difference {
  const [line] = theirs;
  return {
    kind,
    payoutId,
    transactionId: ours?.transaction_id ?? null,
    ours: ours
      ? {
          state: ours.state,
          amount: formatMoney(ours.amount),
          currency: ours.currency,
          msisdn: ours.destination_account,
        }
      : null,
    theirs: line
      ? {
          amount: formatMoney(line.amountMinor),
          currency: line.currency,
          msisdn: line.msisdn,
          recordedAt: line.recordedAt.toISOString(),
          payments: kind === 'paid_twice' ? Math.max(theirs.length, 2) : theirs.length,
        }
      : null,
    evidence: evidenceOfLines(theirs),
  };
}
