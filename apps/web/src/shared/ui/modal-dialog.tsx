import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

interface ModalDialogProps {
  title: string;
  /** A sheet slides in from the bottom of a phone. */
  isSheet?: boolean;
  /** Called on Escape, or on the back gesture of a phone. */
  onCancel: () => void;
  children: ReactNode;
}

const SHAPES = {
  dialog: 'm-auto w-[calc(100%-2rem)] max-w-narrow rounded-card p-5',
  sheet: 'mt-auto mb-0 w-full max-w-none rounded-t-wallet px-4 pt-5 pb-[calc(1.5rem+env(safe-area-inset-bottom))]',
} as const;

/**
 * The platform's modal dialog, open while it is rendered: it traps the focus and restores it. It is rendered at the end
 * of the page, so that a dialog opened from a form may contain a form.
 */
export function ModalDialog({ title, isSheet = false, onCancel, children }: ModalDialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect's clean-up runs while the dialog is still in the page: a removed dialog would not restore the
  // focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return createPortal(
    <dialog
      ref={ref}
      aria-labelledby={id}
      className={`animate-enter bg-surface text-ink shadow-2 backdrop:bg-[#0e1621]/50 ${isSheet ? SHAPES.sheet : SHAPES.dialog}`}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <h2 id={id} className="text-card font-semibold">
        {title}
      </h2>
      {children}
    </dialog>,
    document.body,
  );
}
