import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface StepState {
  step?: 'confirm';
}

interface ConfirmStepOptions {
  /** Whether the details may still be confirmed; where they may not any more, the step is left. */
  isValid: boolean;
  /** While a transfer is on its way its step stays, whatever was pressed. */
  isSending: boolean;
  onLeave: () => void;
}

/**
 * The confirm step as an entry of the browser's history, so that a phone's back button leads to the details. `reviewed`
 * is what the step was opened with, for as long as it is shown. It is kept nowhere else: an entry that is come upon
 * without it, after a reload or by the forward button, shows the details and becomes one of theirs.
 */
export function useConfirmStep<Reviewed extends object>({ isValid, isSending, onLeave }: ConfirmStepOptions) {
  const { pathname, state } = useLocation() as { pathname: string; state: StepState | null };
  const navigate = useNavigate();
  const [reviewed, setReviewed] = useState<Reviewed>();
  const isConfirmEntry = state?.step === 'confirm';
  const isShown = reviewed !== undefined && isValid && (isConfirmEntry || isSending);
  const wasShown = useRef(false);
  const isClosing = useRef(false);

  /** Once: the browser goes back a while after it was asked to. */
  const close = (): void => {
    if (!isConfirmEntry || isClosing.current) return;
    isClosing.current = true;
    void navigate(-1);
  };
  useEffect(() => {
    if (!isConfirmEntry) isClosing.current = false;
    if (wasShown.current && !isShown) {
      setReviewed(undefined);
      onLeave();
      close();
    } else if (isConfirmEntry && !reviewed && !isClosing.current) {
      void navigate(pathname, { replace: true, state: null });
    }
    wasShown.current = isShown;
  });
  const open = (review: Reviewed): void => {
    setReviewed(review);
    void navigate(pathname, { state: { step: 'confirm' } });
  };
  return { reviewed: isShown ? reviewed : undefined, detailsRef: useStepStart(isShown, isConfirmEntry), open, close };
}

/**
 * Each step starts at its top, also where the browser has restored how far its entry was scrolled; the details take the
 * focus to their heading when they are come back to.
 */
function useStepStart(isConfirmShown: boolean, isConfirmEntry: boolean) {
  const detailsRef = useRef<HTMLHeadingElement>(null);
  const last = useRef({ isConfirmShown, isConfirmEntry });
  useEffect(() => {
    const before = last.current;
    last.current = { isConfirmShown, isConfirmEntry };
    if (before.isConfirmShown === isConfirmShown && before.isConfirmEntry === isConfirmEntry) return;
    window.scrollTo(0, 0);
    if (before.isConfirmShown && !isConfirmShown) detailsRef.current?.focus({ preventScroll: true });
  }, [isConfirmShown, isConfirmEntry]);
  return detailsRef;
}
