import type { FailureLab, PayoutTotals } from '@vuka/contracts/http/failure-lab';

/** One currency as the network has it, and as our books do. */
export interface CurrencyTotals {
  currency: PayoutTotals['currency'];
  network: PayoutTotals | undefined;
  books: PayoutTotals | undefined;
}

type Verdict = 'agrees' | 'open_questions' | 'differs' | 'unknown';

/**
 * The network's ledger beside our books, and what follows: they agree; the network has paid what we do not know of yet,
 * which an open payout explains; or they differ, which no misbehaviour may bring about.
 */
export function compareTotals(
  network: FailureLab['network'],
  books: FailureLab['books'],
): { rows: CurrencyTotals[]; verdict: Verdict } {
  const rows = (['KES', 'TZS'] as const)
    .map((currency) => ({
      currency,
      network: network.find((totals) => totals.currency === currency),
      books: books?.find((totals) => totals.currency === currency),
    }))
    .filter((row) => row.network || row.books);
  if (!books) return { rows, verdict: 'unknown' };
  const verdicts = rows.map(verdictOf);
  const worst = (['differs', 'open_questions'] as const).find((verdict) => verdicts.includes(verdict));
  return { rows, verdict: worst ?? 'agrees' };
}

function verdictOf({ network, books }: CurrencyTotals): Verdict {
  const [paid, booked] = [network?.paid.count ?? 0, books?.paid.count ?? 0];
  if (paid === booked)
    return network?.paid.amount === (books?.paid.amount ?? '0.00') || paid === 0 ? 'agrees' : 'differs';
  return paid > booked && paid - booked <= (books?.inFlight.count ?? 0) ? 'open_questions' : 'differs';
}
