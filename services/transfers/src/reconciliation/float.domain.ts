/** One currency's float with the provider, in minor units. */
export interface FloatFigures {
  /** By our books, read before the provider's balance, and again after it. */
  bookedBefore: bigint;
  bookedAfter: bigint;
  /** Payouts whose transfers were open after the provider's balance was read, and before `bookedAfter`. */
  underWay: bigint;
  providerBalance: bigint;
}

/**
 * How far the provider's balance lies outside of what the books allow; positive: the provider has more, 0: it agrees.
 * The provider takes a payout's money when it accepts it, our books take it when the payout has completed. The balance is
 * therefore at most what was booked before it was read, and at least what is booked after it minus all that is under way.
 */
export function differenceOf({ bookedBefore, bookedAfter, underWay, providerBalance }: FloatFigures): bigint {
  const most = bookedBefore > bookedAfter ? bookedBefore : bookedAfter;
  const least = (bookedBefore < bookedAfter ? bookedBefore : bookedAfter) - underWay;
  if (providerBalance > most) return providerBalance - most;
  if (providerBalance < least) return providerBalance - least;
  return 0n;
}
