/** A decimal of the database without the zeros that its column pads it with. */
export function trimDecimal(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?(?<!0)0+$/, '') : decimal;
}
