import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('spinner', { loading: 'Loading' });

export function Spinner({ className = 'size-7' }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={`motion-keep inline-block shrink-0 animate-spin rounded-full border-[3px] border-current border-r-transparent ${className}`}
    />
  );
}

/** The centred spinner of a page that has no content yet. */
export function PageSpinner() {
  const t = useStore(MESSAGES);
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-primary">
      <Spinner />
      <span className="sr-only">{t.loading}</span>
    </div>
  );
}
