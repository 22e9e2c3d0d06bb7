/** One currency's float with the provider, in minor units. */
export interface FloatFigures {
  /** By our books: before the provider's balance was read, and afterwards. */
  bookedBefore: bigint;
  bookedAfter: bigint;
  /** Payouts whose transfers were open after the provider's balance was read and before `bookedAfter` was read. */
  underWay: bigint;
  providerBalance: bigint;
}

/**
 * How far the provider's balance is outside the range that the books allow: positive if the provider has more, 0 if it
 * is in the range. The provider takes a payout's money when it accepts the payout, our books when the payout has
 * completed. The balance is therefore at most what was booked before it was read, and at least what is booked
 * afterwards minus everything under way.
 */
export function differenceOf({ bookedBefore, bookedAfter, underWay, providerBalance }: FloatFigures): bigint {
  const most = bookedBefore > bookedAfter ? bookedBefore : bookedAfter;
  const least = (bookedBefore < bookedAfter ? bookedBefore : bookedAfter) - underWay;
  if (providerBalance > most) return providerBalance - most;
  if (providerBalance < least) return providerBalance - least;
  return 0n;
}
