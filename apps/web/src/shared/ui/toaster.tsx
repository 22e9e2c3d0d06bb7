import { useStore } from '@nanostores/react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { i18n } from '#shared/i18n/i18n.ts';
import { dismissToast, type ShownToast, toastStore } from '#shared/toast-store.ts';

const DURATION_MS = 5000;
const SWIPE_THRESHOLD_PX = 50;

const MESSAGES = i18n('toaster', { dismiss: 'Dismiss' });

const TONES = {
  success: { box: 'bg-surface text-ink shadow-2', icon: 'text-ok', Icon: CircleCheck },
  destructive: { box: 'bg-bad-soft text-bad-ink shadow-2', icon: 'text-bad', Icon: CircleAlert },
  plain: { box: 'bg-surface text-ink shadow-2', icon: 'text-primary', Icon: Info },
} as const;

/** Closes after a while, but not while the toast has the pointer or focus, or the page is hidden. */
function useAutoDismiss(id: number, isHeld: boolean): void {
  useEffect(() => {
    if (isHeld) return;
    let timer = 0;
    const start = (): void => {
      window.clearTimeout(timer);
      if (!document.hidden) timer = window.setTimeout(() => dismissToast(id), DURATION_MS);
    };
    start();
    document.addEventListener('visibilitychange', start);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [id, isHeld]);
}

function useSwipe(onSwipe: () => void) {
  const startX = useRef<number | undefined>(undefined);
  const [offset, setOffset] = useState(0);
  return {
    style: offset ? { transform: `translateX(${offset}px)` } : undefined,
    onPointerDown: (event: PointerEvent) => {
      startX.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent) => {
      if (startX.current !== undefined) setOffset(Math.max(0, event.clientX - startX.current));
    },
    onPointerUp: () => {
      startX.current = undefined;
      if (offset > SWIPE_THRESHOLD_PX) onSwipe();
      setOffset(0);
    },
    onPointerCancel: () => {
      startX.current = undefined;
      setOffset(0);
    },
  };
}

function ToastCard({ toast }: { toast: ShownToast }) {
  const t = useStore(MESSAGES);
  const [isHeld, setIsHeld] = useState(false);
  useAutoDismiss(toast.id, isHeld);
  const swipe = useSwipe(() => dismissToast(toast.id));
  const { box, icon, Icon } = TONES[toast.tone ?? 'plain'];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering keeps the toast open; its actions are real controls.
    <div
      {...swipe}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={`pointer-events-auto flex w-full animate-toast touch-pan-y items-start gap-2 rounded-control py-2 pr-2 pl-3 ${box}`}
    >
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${icon}`} />
      {/* One run of text, so that it is no higher than the header. */}
      <div className="min-w-0 flex-1 self-center text-caption">
        <p className="inline font-semibold">{toast.title}</p>{' '}
        {toast.description ? <p className="inline opacity-90">{toast.description}</p> : null}{' '}
        {toast.action ? (
          <Link
            to={toast.action.to}
            className="font-semibold text-primary underline underline-offset-2"
            onClick={() => dismissToast(toast.id)}
          >
            {toast.action.label}
          </Link>
        ) : null}
      </div>
      <button
        type="button"
        aria-label={t.dismiss}
        className="-my-2 grid size-11 shrink-0 place-items-center rounded-chip opacity-70 hover:opacity-100"
        onClick={() => dismissToast(toast.id)}
      >
        <X aria-hidden className="size-4.5" />
      </button>
    </div>
  );
}

/**
 * Shows the current toast over the header, so that it hides neither a title nor a button of the page. Both live regions
 * are always in the page and only their content changes: screen readers do not announce a region that is inserted
 * together with its text.
 */
export function Toaster() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') dismissToast();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const isAlert = toast?.tone === 'destructive';
  const card = toast ? <ToastCard key={toast.id} toast={toast} /> : null;
  return (
    <div className="no-print pointer-events-none fixed inset-x-2 top-[calc(0.375rem+env(safe-area-inset-top))] z-50 md:inset-x-auto md:right-6 md:w-full md:max-w-[420px]">
      <div role="status">{isAlert ? null : card}</div>
      <div role="alert">{isAlert ? card : null}</div>
    </div>
  );
}
