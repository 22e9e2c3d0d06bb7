import { useCallback, useEffect, useRef, useState } from 'react';

const SAFETY_TIMEOUT_MS = 20_000;

/** Admits one submission at a time. Opens after 20 s, so that a lost answer does not lock the form for good. */
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

  /** Whether the caller may submit. A ref decides, because two clicks may arrive before a render. */
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
