import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Moves the focus to a form's first field with an error: `focusError()` beside showing the errors does so with them on
 * screen, and not a frame later, when the person may be typing already.
 */
export function useErrorFocus() {
  const formRef = useRef<HTMLFormElement>(null);
  const [asked, setAsked] = useState(0);
  useLayoutEffect(() => {
    if (asked > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked]);
  return { formRef, focusError: () => setAsked(asked + 1) };
}
