/** The value below which this share of the sorted values lies, to two decimals. */
export function percentile(sorted: number[], share: number): number {
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
}
