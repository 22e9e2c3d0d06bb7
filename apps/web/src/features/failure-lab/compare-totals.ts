import type { FailureLab, PayoutTotals } from '@vuka/contracts/http/failure-lab';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';

/** The totals of one currency, from the network and from our books. */
export interface CurrencyTotals {
  currency: PayoutTotals['currency'];
  network: PayoutTotals | undefined;
  books: PayoutTotals | undefined;
}

type Verdict = 'agrees' | 'open_questions' | 'differs' | 'unknown';

/**
 * Compares the network's ledger with our books. Either they agree; or the network has paid more than our books show,
 * and an open payout explains it; or they differ, which no failure may ever cause.
 */
export function compareTotals(
  network: FailureLab['network'],
  books: FailureLab['books'],
): { rows: CurrencyTotals[]; verdict: Verdict } {
  const rows = WALLET_CURRENCIES.map((currency) => ({
    currency,
    network: network.find((totals) => totals.currency === currency),
    books: books?.find((totals) => totals.currency === currency),
  })).filter((row) => row.network || row.books);
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
