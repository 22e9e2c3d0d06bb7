import { parseMoney } from '@vuka/money';

/**
 * Whether a movement takes the sum that one administrator moved in a day without another's approval above the limit.
 * Decimal strings of one currency.
 */
export function needsApproval(amount: string, { moved, limit }: { moved: string; limit: string }): boolean {
  return parseMoney(moved) + parseMoney(amount) > parseMoney(limit);
}
