import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface StepState {
  step?: 'confirm';
}

interface ConfirmStepOptions {
  /** Whether the details may still be confirmed; if not, the step closes. */
  isValid: boolean;
  /** While it is being sent the step stays open, whatever the user presses. */
  isSending: boolean;
  onLeave: () => void;
}

/**
 * The confirm step as an entry of the browser's history, so that a phone's back button leads to the details. `reviewed`
 * is the value that the step was opened with; it exists only while the step is shown. If a reload or the forward button
 * leads to the entry without that value, the details are shown, and the entry becomes one of the details.
 */
export function useConfirmStep<Reviewed extends object>({ isValid, isSending, onLeave }: ConfirmStepOptions) {
  const { pathname, state } = useLocation() as { pathname: string; state: StepState | null };
  const navigate = useNavigate();
  const [reviewed, setReviewed] = useState<Reviewed>();
  const isConfirmEntry = state?.step === 'confirm';
  const isShown = reviewed !== undefined && isValid && (isConfirmEntry || isSending);
  const wasShown = useRef(false);
  const isClosing = useRef(false);

  /** Goes back at most once, because the browser does so some time after the call. */
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
    // Before leaving this entry: on return the browser restores its scroll position, after the page has rendered.
    window.scrollTo(0, 0);
    void navigate(pathname, { state: { step: 'confirm' } });
  };
  return { reviewed: isShown ? reviewed : undefined, detailsRef: useReturn(isShown), open, close };
}

/** Returning to the details scrolls to their top and focuses their heading. */
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
