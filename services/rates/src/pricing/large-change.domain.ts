import { isWithinFactors, sellRate } from '@vuka/money';

/** Decimal strings: TZS for one KES, and per cent. */
export type EnteredRate = { buyRate: string; markup: string };

const SMALL = { low: '0.5', high: '1.5' };

/**
 * Whether a rate differs from one of the others by more than half: the buy rate, or what a merchant gets of the other
 * currency in either direction. Such a change takes two administrators.
 */
export function isLargeChange(next: EnteredRate, others: readonly EnteredRate[]): boolean {
  return others.some((other) => !isSmallChange(other, next));
}

function isSmallChange(from: EnteredRate, to: EnteredRate): boolean {
  return (
    isWithinFactors(to.buyRate, from.buyRate, SMALL) &&
    isWithinFactors(sellRate(to.buyRate, to.markup), sellRate(from.buyRate, from.markup), SMALL) &&
    // TZS to KES is kept share / buy rate; each side is multiplied by both buy rates, since quotients are rounded.
    isWithinFactors(sellRate(from.buyRate, to.markup), sellRate(to.buyRate, from.markup), SMALL)
  );
}
