/** Shown if the server gives no rate for the way back. For display only: it never prices a transfer. */
export const FALLBACK_INVERSE = 0.0425;

/** "1 KES = 23.030 TZS", and a dash for the inverse of nothing: a markup of 100 % leaves a rate of 0 */
export function formatRate(source: string, target: string, rate: number, decimals = 3): string {
  return `1 ${source} = ${rate.toFixed(decimals).replace('Infinity', '–')} ${target}`;
}

/** "1,000 TZS = 41.70 KES": an inverse rate has too few significant digits. */
export function formatThousand(source: string, target: string, rate: number): string {
  return `1,000 ${source} = ${(rate * 1_000).toFixed(2).replace('Infinity', '–')} ${target}`;
}

/** The inverse rate, with enough digits to check an amount by hand. */
export function formatInverse(source: string, target: string, rate: number): string {
  const inverse = 1 / rate;
  return formatRate(target, source, inverse, inverse < 1 ? 5 : 3);
}

function toDecimal(rate: number): { digits: bigint; scale: number } {
  const plain = rate.toString().includes('e') ? rate.toFixed(18) : rate.toString();
  const [whole = '0', fraction = ''] = plain.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** The value of `digits` whole units at `rate`, rounded half up to whole units, as the server rounds. */
export function convertWhole(digits: string, rate: number): string {
  if (digits === '' || !Number.isFinite(rate) || rate <= 0) return '0';
  const decimal = toDecimal(rate);
  const unit = 10n ** BigInt(decimal.scale);
  return ((BigInt(digits) * decimal.digits * 2n + unit) / (unit * 2n)).toString();
}
