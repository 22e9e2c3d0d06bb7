/** A round number of at least `most`, in as many equal steps as the ticks above zero: the top of a scale. */
export function scaleTicks(most: number): number[] {
  if (!(most > 0)) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough, 1);
  const count = Math.ceil(most / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** "1.5M", "250k", "80": a tick, short enough for a phone. */
export function shortNumber(value: number): string {
  const [divisor, unit] = value >= 1_000_000 ? [1_000_000, 'M'] : value >= 1_000 ? [1_000, 'k'] : [1, ''];
  return `${Number((value / divisor).toFixed(2))}${unit}`;
}
