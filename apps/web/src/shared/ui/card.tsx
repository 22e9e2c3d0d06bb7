import type { ReactNode } from 'react';

interface CardProps {
  title?: string;
  /** Content opposite the title. */
  aside?: ReactNode;
  /** Keeps a short aside beside a long title, which wraps instead. */
  isOneRow?: boolean;
  className?: string;
  /** Whether the content is still loading. */
  isBusy?: boolean;
  children: ReactNode;
}

export function Card({ title, aside, isOneRow = false, className = '', isBusy = false, children }: CardProps) {
  return (
    <section aria-busy={isBusy} className={`rounded-card bg-surface shadow-1 ${className}`}>
      {title ? (
        <header
          className={`flex items-center justify-between gap-x-2 px-4 pt-2 sm:px-5 ${isOneRow ? '' : 'flex-wrap'}`}
        >
          {/* As high as a button, so that every title is at the same height, also above an aside that wraps. */}
          <h2 className="flex min-h-12 min-w-0 items-center py-1.5 text-card font-semibold">{title}</h2>
          {aside}
        </header>
      ) : null}
      {children}
    </section>
  );
}
