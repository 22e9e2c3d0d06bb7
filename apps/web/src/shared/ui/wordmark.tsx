import { useAbout } from '#shared/house.ts';

/** The logo: two shores and a crossing. */
export function Wordmark({ className = '' }: { className?: string }) {
  const { systemName } = useAbout();
  return (
    <span className={`inline-flex items-center gap-2 font-bold tracking-amount ${className}`}>
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7">
        <rect width="32" height="32" rx="8" className="fill-primary" />
        <path
          d="M8 9.5l8 13 8-13"
          fill="none"
          strokeWidth="4"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-primary"
        />
      </svg>
      <span className="text-title">{systemName}</span>
    </span>
  );
}
