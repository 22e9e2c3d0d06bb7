import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Skeleton } from '#shared/ui/skeleton.tsx';

interface HeadlineProps {
  label: string;
  /** One per line. Missing if they could not be loaded. */
  values: readonly string[] | null | undefined;
  detail?: string | undefined;
  tone?: 'bad' | undefined;
  /** The page that explains the figure. */
  to?: string;
  isPending: boolean;
  /** Shown in place of values that could not be loaded. */
  unavailable: string;
}

/** A figure that is read first. Its height is the same before and after it has loaded, unless it could not be. */
export function Headline({ label, values, detail, tone, to, isPending, unavailable }: HeadlineProps) {
  return (
    <section className={`min-w-0 [overflow-wrap:anywhere] ${isPending || values ? 'min-h-24' : ''}`}>
      <h3 className="text-small font-medium text-ink2">
        {to ? (
          <Link to={to} className="inline-flex items-center rounded-chip hover:underline">
            {label}
            <ChevronRight aria-hidden className="size-4 text-ink3" />
          </Link>
        ) : (
          label
        )}
      </h3>
      <p className="nums mt-0.5 text-title font-bold tracking-amount">
        {isPending ? <Skeleton className="mt-1 h-6 w-28" /> : null}
        {isPending
          ? null
          : (values?.map((value) => (
              <span key={value} className="block">
                {value}
              </span>
            )) ?? <span className="text-ink3">{unavailable}</span>)}
      </p>
      {detail ? (
        <p className={`nums mt-1 text-caption text-balance ${tone === 'bad' ? 'font-semibold text-bad' : 'text-ink3'}`}>
          {detail}
        </p>
      ) : null}
    </section>
  );
}
