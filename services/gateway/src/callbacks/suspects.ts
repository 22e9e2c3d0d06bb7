/** Refused callbacks of an address within a minute, after which it is suspect. */
const REFUSALS = 20;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** The client addresses whose callbacks were refused too often of late. */
export interface Suspects {
  noteRefusal(address: string): void;
  isSuspect(address: string): boolean;
}

/**
 * Counts refusals by address in windows of a minute; an address that is suspect stays so until the end of the next one.
 * When more addresses were refused than are kept, the flood comes from everywhere, and every address is suspect.
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
