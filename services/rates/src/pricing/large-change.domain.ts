import { isWithinFactors, sellRate } from '@vuka/money';

/** Decimal strings. `buyRate`: what one unit of the rate's source buys of its target. `markup`: percent. */
export type EnteredRate = { buyRate: string; markup: string };

const SMALL = { low: '0.5', high: '1.5' };

/**
 * Whether a rate differs by more than half from any of the others: in the buy rate, or in what a merchant receives in
 * either direction. Such a change needs two administrators.
 */
export function isLargeChange(next: EnteredRate, others: readonly EnteredRate[]): boolean {
  return others.some((other) => !isSmallChange(other, next));
}

function isSmallChange(from: EnteredRate, to: EnteredRate): boolean {
  return (
    isWithinFactors(to.buyRate, from.buyRate, SMALL) &&
    isWithinFactors(sellRate(to.buyRate, to.markup), sellRate(from.buyRate, from.markup), SMALL) &&
    // TZS to KES is (1 - markup) / buy rate; both sides are multiplied by both buy rates, since quotients are rounded.
    isWithinFactors(sellRate(from.buyRate, to.markup), sellRate(to.buyRate, from.markup), SMALL)
  );
}
