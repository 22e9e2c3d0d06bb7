import { useEffect, useState } from 'react';

/** Whole seconds until a time of this device's clock, counting down on screen. Never negative. */
export function useSecondsLeft(untilMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // A hold that started after the last tick must not read as longer than it is.
  return Math.max(0, Math.ceil((untilMs - Math.max(nowMs, Date.now())) / 1_000));
}
