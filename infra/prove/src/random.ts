/** Pseudorandom numbers, the same for the same seed. */
export interface Random {
  /** From 0 up to but excluding 1. */
  next(): number;
  /** A whole number, both bounds included. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /** An independent stream: draws of one part do not change those of another. */
  fork(name: string): Random;
}

/** A seed for a run that names none. */
export const randomSeed = (): number => 1 + Math.floor(Math.random() * (2 ** 31 - 1));

/** Mulberry32, a public-domain generator by Tommy Ettinger: 32 bits of state, enough for plans. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return items[between(0, items.length - 1)] as T;
    },
    fork(name) {
      let hash = seed >>> 0;
      for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
      return createRandom(hash);
    },
  };
}

/** A duration in milliseconds, or a count, from a fault's draw. */
export const lengthOf = (draw: number, least: number, most: number) => Math.round(least + draw * (most - least));

/** A fraction that says nothing about the draw's size, for a second choice. */
export const otherDraw = (draw: number) => (draw * 997) % 1;
