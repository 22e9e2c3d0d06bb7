import { ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface DisclosureRowProps {
  Icon: LucideIcon;
  title: string;
  children: ReactNode;
}

/** One line of a card that opens what is rarely needed. */
export function DisclosureRow({ Icon, title, children }: DisclosureRowProps) {
  return (
    <details className="group">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 px-4 -outline-offset-3 hover:bg-sunken sm:px-5 [&::-webkit-details-marker]:hidden">
        <Icon aria-hidden className="size-5 shrink-0 text-ink2" />
        <h2 className="min-w-0 flex-1 font-medium">{title}</h2>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3 transition-transform group-open:rotate-90" />
      </summary>
      <div className="px-4 pt-3 pb-4 sm:px-5 sm:pb-5">{children}</div>
    </details>
  );
}
