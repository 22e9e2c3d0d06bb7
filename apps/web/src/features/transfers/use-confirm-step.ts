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
    // Before the entry is left: the browser goes back to where it was left, after the page has shown it.
    window.scrollTo(0, 0);
    void navigate(pathname, { state: { step: 'confirm' } });
  };
  return { reviewed: isShown ? reviewed : undefined, detailsRef: useReturn(isShown), open, close };
}

/** Going back to the details starts them at their top, with the focus on their heading. */
function useReturn(isConfirmShown: boolean) {
  const detailsRef = useRef<HTMLHeadingElement>(null);
  const wasConfirmShown = useRef(isConfirmShown);
  useEffect(() => {
    if (wasConfirmShown.current && !isConfirmShown) {
      window.scrollTo(0, 0);
      detailsRef.current?.focus({ preventScroll: true });
    }
    wasConfirmShown.current = isConfirmShown;
  }, [isConfirmShown]);
  return detailsRef;
}
