import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  Icon?: LucideIcon;
  title: string;
  /** Why there is nothing, or what comes here. */
  detail?: string;
  /** The one thing to do about it. */
  action?: ReactNode;
}

/** A list without entries. */
export function EmptyState({ Icon = Inbox, title, detail, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-8 text-center">
      <Icon aria-hidden className="size-10 text-ink3" strokeWidth={1.5} />
      <p className="mt-3 max-w-[60ch] text-body text-balance font-semibold">{title}</p>
      {detail ? <p className="mt-1 max-w-[44ch] text-small text-balance text-ink2">{detail}</p> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
