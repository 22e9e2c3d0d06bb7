import type { LucideIcon } from 'lucide-react';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const TONES = { ok: 'text-ok', warn: 'text-warn-ink', bad: 'text-bad' } as const;

interface FigureProps {
  label: string;
  value: string | null | undefined;
  detail?: string | null | undefined;
  tone?: keyof typeof TONES | undefined;
  Icon?: LucideIcon;
  isPending: boolean;
  /** Shown in place of a value that could not be loaded. */
  unavailable: string;
}

/** A figure beside others of its kind. Its height is the same before and after it has loaded. */
export function Figure({ label, value, detail, tone, Icon, isPending, unavailable }: FigureProps) {
  const isMissing = !isPending && (value ?? undefined) === undefined;
  const colour = isMissing ? 'text-ink3' : tone ? TONES[tone] : 'text-ink';
  return (
    <section className="flex min-h-24 min-w-0 flex-col rounded-card bg-surface px-3.5 py-3 shadow-1">
      <h2 className="text-small font-medium text-ink2">{label}</h2>
      {isPending ? (
        <Skeleton className="mt-1.5 h-5 w-24" />
      ) : (
        <p className={`nums mt-1 flex items-center gap-2 font-bold tracking-tight [overflow-wrap:anywhere] ${colour}`}>
          {Icon && !isMissing ? <Icon aria-hidden className="size-5 shrink-0" /> : null}
          {value ?? unavailable}
        </p>
      )}
      {detail ? <p className="nums mt-1 text-caption text-ink3">{detail}</p> : null}
    </section>
  );
}
