import { useCallback, useEffect, useState } from 'react';

const HIDDEN_LIMIT_MS = 30_000;

/** A PIN on screen. It is cleared when `resetKey` changes, and when the page was hidden for a while. */
export function usePinState(resetKey: string): [string, (pin: string) => void] {
  const [state, setState] = useState({ pin: '', resetKey });
  useEffect(() => {
    let hiddenAtMs: number | undefined;
    const onChange = (): void => {
      if (document.hidden) hiddenAtMs = Date.now();
      else if (hiddenAtMs !== undefined && Date.now() - hiddenAtMs > HIDDEN_LIMIT_MS) {
        setState((before) => ({ ...before, pin: '' }));
      }
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  const pin = state.resetKey === resetKey ? state.pin : '';
  const setPin = useCallback((next: string) => setState({ pin: next, resetKey }), [resetKey]);
  return [pin, setPin];
}
