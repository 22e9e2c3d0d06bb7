/** Removes the zeros with which a column pads a decimal. */
export function trimDecimal(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?(?<!0)0+$/, '') : decimal;
}
