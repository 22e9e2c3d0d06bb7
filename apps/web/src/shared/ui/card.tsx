import type { ReactNode } from 'react';

interface CardProps {
  title?: string;
  /** Content opposite the title. */
  aside?: ReactNode;
  className?: string;
  /** Whether the content is still loading. */
  isBusy?: boolean;
  children: ReactNode;
}

export function Card({ title, aside, className = '', isBusy = false, children }: CardProps) {
  return (
    <section aria-busy={isBusy} className={`rounded-card bg-surface shadow-1 ${className}`}>
      {title ? (
        <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 px-4 pt-2 sm:px-5">
          <h2 className="text-card font-semibold">{title}</h2>
          {aside}
        </header>
      ) : null}
      {children}
    </section>
  );
}
