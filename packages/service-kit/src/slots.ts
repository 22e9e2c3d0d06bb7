/** Runs work with at most `max` pieces at once, in the order of the calls. */
export function createSlots(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = max;

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The slot is handed over, so that no later call takes it first.
      if (next) next();
      else free += 1;
    }
  };
}
