import { useStore } from '@nanostores/react';
import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/dialog', { close: 'Close' });

const SHAPES = {
  /** A small box in the middle. */
  box: 'm-auto w-[calc(100%-2rem)] max-w-[28rem] rounded-card',
  /** A box that stays where it is while its content grows and shrinks. */
  palette: 'mx-auto mt-[10vh] mb-auto w-[calc(100%-2rem)] max-w-[36rem] max-h-[80dvh] rounded-card',
  /** A tall box in the middle, for long content. */
  wide: 'm-auto w-[calc(100%-1rem)] max-w-[48rem] max-h-[calc(100dvh-2rem)] rounded-card',
  /** A panel at the right edge, for a list beside the page. */
  panel: 'ml-auto h-dvh max-h-none w-[44rem] max-w-full sm:max-w-[92vw]',
  /** A panel at the left edge. */
  drawer: 'mr-auto h-dvh max-h-none w-72 max-w-[85vw]',
} as const;

interface DialogProps {
  title: string;
  shape?: keyof typeof SHAPES;
  /** Whether it stays open for now, because it has to say how a request ends. */
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The browser's modal dialog, open while it is rendered: it traps the focus and restores it. */
export function Dialog({ title, shape = 'box', isBusy = false, onClose, children }: DialogProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  const close = (): void => {
    if (!isBusy) onClose();
  };
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by `cancel`.
    <dialog
      ref={ref}
      aria-labelledby={id}
      className={`animate-enter overflow-y-auto bg-surface p-0 text-ink shadow-2 backdrop:bg-[#0e1621]/50 ${SHAPES[shape]}`}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={() => {
        if (ref.current?.open) return;
        // A browser closes it all the same when Escape is pressed twice.
        if (isBusy) ref.current?.showModal();
        else onClose();
      }}
      // A text selection may start in the dialog and end outside of it: that must not close it.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === ref.current;
      }}
      onClick={(event) => {
        if (event.target === ref.current && isPressedBeside.current) close();
      }}
    >
      <div className="flex min-h-full flex-col">
        <header className="sticky top-0 z-10 flex min-h-14 items-center justify-between gap-2 bg-surface py-2 pr-2 pl-5">
          <h2 id={id} className="min-w-0 py-2 text-card font-semibold">
            {title}
          </h2>
          <button
            type="button"
            aria-label={t.close}
            className="grid size-11 shrink-0 place-items-center rounded-control text-ink2 hover:bg-sunken hover:text-ink"
            onClick={close}
          >
            <X aria-hidden className="size-5" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
