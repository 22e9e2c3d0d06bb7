import { formatMoney } from '@vuka/money';
import { toMinor, withFee } from '#shared/format/money.ts';
import { feeOf, type Price } from './transfer-draft.ts';

/** What a whole amount and the fee on top of it take together: a decimal string. Undefined if there is no fee. */
export function totalTaken(amount: string, price: Price): string | undefined {
  const fee = feeOf(price);
  return toMinor(fee) ? formatMoney(withFee(amount, fee)) : undefined;
}
