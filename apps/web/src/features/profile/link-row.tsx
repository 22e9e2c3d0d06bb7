import { ChevronRight, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';

/** One line of a card that leads to another page. */
export function LinkRow({ to, Icon, label }: { to: string; Icon: LucideIcon; label: string }) {
  return (
    <li>
      <Link to={to} className="flex min-h-14 items-center gap-3 px-4 -outline-offset-3 hover:bg-sunken sm:px-5">
        <Icon aria-hidden className="size-5 shrink-0 text-ink2" />
        <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{label}</span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3" />
      </Link>
    </li>
  );
}
