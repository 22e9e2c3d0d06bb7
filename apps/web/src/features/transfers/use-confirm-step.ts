import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface StepState {
  step?: 'confirm';
}

/** The confirm step as an entry of the browser's history, so that a phone's back button leads to the details. */
export function useConfirmStep(onLeave: () => void) {
  const { pathname, state } = useLocation() as { pathname: string; state: StepState | null };
  const navigate = useNavigate();
  const isConfirmStep = state?.step === 'confirm';
  const isHere = useRef(false);
  const wasHere = useRef(false);
  useEffect(() => {
    isHere.current = isConfirmStep;
    if (wasHere.current && !isConfirmStep) onLeave();
    wasHere.current = isConfirmStep;
  });
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const open = useCallback((): void => void navigate(pathname, { state: { step: 'confirm' } }), [navigate, pathname]);
  /** Does nothing where the user has left the step, or the page, by other ways. */
  const close = useCallback((): void => {
    if (isHere.current) void navigate(-1);
    isHere.current = false;
  }, [navigate]);
  return { isConfirmStep, open, close };
}
