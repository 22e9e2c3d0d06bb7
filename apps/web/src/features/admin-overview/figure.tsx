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

/** One figure of the dashboard. Its height is the same before and after it has loaded. */
export function Figure({ label, value, detail, tone, Icon, isPending, unavailable }: FigureProps) {
  const isMissing = !isPending && (value ?? undefined) === undefined;
  const colour = isMissing ? 'text-ink3' : tone ? TONES[tone] : 'text-ink';
  return (
    <section className="flex min-h-28 min-w-0 flex-col rounded-card bg-surface p-4 shadow-1 sm:px-5">
      <h2 className="text-small font-medium text-ink2">{label}</h2>
      {isPending ? (
        <Skeleton className="mt-2 h-6 w-32" />
      ) : (
        <p
          className={`nums mt-1 flex flex-wrap items-center gap-2 text-card font-bold [overflow-wrap:anywhere] sm:text-title tracking-amount ${colour}`}
        >
          {Icon && !isMissing ? <Icon aria-hidden className="size-5 shrink-0" /> : null}
          {value ?? unavailable}
        </p>
      )}
      {detail ? <p className="nums mt-1 text-caption text-ink3">{detail}</p> : null}
    </section>
  );
}
