import { parseMoney } from '@vuka/money';

/**
 * Whether a movement makes what one administrator moved in a day, without another's approval, more than the limit.
 * Decimal strings of one currency.
 */
export function needsApproval(amount: string, { moved, limit }: { moved: string; limit: string }): boolean {
  return parseMoney(moved) + parseMoney(amount) > parseMoney(limit);
}
