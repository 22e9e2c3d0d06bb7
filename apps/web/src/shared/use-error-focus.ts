import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Moves the focus to a form's first field with an error. Call `focusError()` where the errors are set: the focus then
 * moves in the same render, not a frame later, when the user may already be typing.
 */
export function useErrorFocus() {
  const formRef = useRef<HTMLFormElement>(null);
  const [asked, setAsked] = useState(0);
  useLayoutEffect(() => {
    if (asked > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked]);
  return { formRef, focusError: () => setAsked(asked + 1) };
}
