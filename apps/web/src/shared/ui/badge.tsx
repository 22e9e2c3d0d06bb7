import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  ok: 'bg-ok-soft text-ok-ink',
  warn: 'bg-warn-soft text-warn-ink',
  bad: 'bg-bad-soft text-bad-ink',
  quiet: 'bg-sunken text-ink2',
} as const;

interface BadgeProps {
  tone: keyof typeof TONES;
  Icon: LucideIcon;
  children: ReactNode;
}

/** A status as a word, with an icon and a colour. */
export function Badge({ tone, Icon, children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 text-caption font-semibold whitespace-nowrap ${TONES[tone]}`}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={2.5} />
      {children}
    </span>
  );
}
