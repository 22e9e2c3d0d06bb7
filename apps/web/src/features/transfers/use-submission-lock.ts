import { useCallback, useEffect, useRef, useState } from 'react';

const SAFETY_TIMEOUT_MS = 20_000;

/**
 * Lets one submission through at a time. Opens by itself after 20 s, so that a lost answer does not
 * lock the form for good.
 */
export function useSubmissionLock() {
  const [isLocked, setIsLocked] = useState(false);
  const [hasTimedOut, setHasTimedOut] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const release = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setIsLocked(false);
    setHasTimedOut(false);
  }, []);

  /** Whether the caller may submit. A ref decides, since two clicks may come before a render. */
  const acquire = useCallback((): boolean => {
    if (timer.current !== undefined) return false;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setIsLocked(false);
      setHasTimedOut(true);
    }, SAFETY_TIMEOUT_MS);
    setIsLocked(true);
    setHasTimedOut(false);
    return true;
  }, []);

  useEffect(() => () => clearTimeout(timer.current), []);
  return { isLocked, hasTimedOut, acquire, release };
}
