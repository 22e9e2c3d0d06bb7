import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  info: { box: 'bg-primary-soft text-primary-ink', Icon: Info },
  ok: { box: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
  warn: { box: 'bg-warn-soft text-warn-ink', Icon: TriangleAlert },
  bad: { box: 'bg-bad-soft text-bad-ink', Icon: CircleAlert },
} as const;

interface NoticeProps {
  tone: keyof typeof TONES;
  title?: string;
  role?: 'status' | 'alert';
  children?: ReactNode;
}

/** A coloured box for information that the reader must not miss and may have to act on. */
export function Notice({ tone, title, role, children }: NoticeProps) {
  const { box, Icon } = TONES[tone];
  return (
    <div role={role} className={`flex animate-enter gap-3 rounded-control px-4 py-3 text-small ${box}`}>
      <Icon aria-hidden className="mt-px size-5 shrink-0" />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children}
      </div>
    </div>
  );
}
