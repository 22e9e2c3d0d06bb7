import { overloaded } from './app-error.ts';

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

/**
 * Like `createSlots`, for reads that would take the connections of other work: throws overloaded once `most` pieces are
 * under way or waiting. `what` names them.
 */
export function createReadSlots(limit: {
  atOnce: number;
  most: number;
  what: string;
}): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const inTurn = createSlots(limit.atOnce);
  let asked = 0;

  return async (work) => {
    if (asked >= limit.most) throw overloaded(`${asked} ${limit.what} are being read`);
    asked += 1;
    try {
      return await inTurn(work);
    } finally {
      asked -= 1;
    }
  };
}
