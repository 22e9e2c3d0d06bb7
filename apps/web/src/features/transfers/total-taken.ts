import { toMinor } from '#shared/format/money.ts';
import { feeOf, type Price } from './transfer-draft.ts';

/** What a whole amount and the fee on top of it take together: a decimal string. Undefined if there is no fee. */
export function totalTaken(amount: string, price: Price): string | undefined {
  const fee = toMinor(feeOf(price)) ?? 0n;
  const total = String(BigInt(amount) * 100n + fee);
  return fee > 0n ? `${total.slice(0, -2)}.${total.slice(-2)}` : undefined;
}
