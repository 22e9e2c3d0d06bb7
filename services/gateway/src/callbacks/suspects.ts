/** Refused callbacks of an address within a minute that make it suspect. */
const REFUSALS = 20;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** Client addresses with many recently refused callbacks. */
export interface Suspects {
  noteRefusal(address: string): void;
  isSuspect(address: string): boolean;
}

/**
 * Counts refusals per address in windows of a minute; a suspect address stays suspect until the end of the next window.
 * If there are too many refused addresses to count, the flood is distributed, and every address is suspect.
 */
export function createSuspects(nowMs: () => number = () => performance.now()): Suspects {
  let counts = new Map<string, number>();
  let before = counts;
  let endsAtMs = nowMs() + WINDOW_MS;

  function turn(): void {
    const lateMs = nowMs() - endsAtMs;
    if (lateMs < 0) return;
    before = lateMs < WINDOW_MS ? counts : new Map();
    counts = new Map();
    endsAtMs = nowMs() + WINDOW_MS;
  }

  const isFull = (window: Map<string, number>) => window.size >= MOST_ADDRESSES;
  const isOver = (window: Map<string, number>, address: string) => (window.get(address) ?? 0) >= REFUSALS;

  return {
    noteRefusal(address) {
      turn();
      const count = counts.get(address);
      if (count !== undefined || !isFull(counts)) counts.set(address, (count ?? 0) + 1);
    },
    isSuspect(address) {
      turn();
      return [counts, before].some((window) => isFull(window) || isOver(window, address));
    },
  };
}
