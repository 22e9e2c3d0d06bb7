/** A placeholder of the final size, so that nothing jumps when the content arrives. */
export function Skeleton({ className, isOnSunken = false }: { className: string; isOnSunken?: boolean }) {
  const colour = isOnSunken ? 'bg-line' : 'bg-sunken';
  return <span aria-hidden className={`block animate-appear rounded-chip ${colour} ${className}`} />;
}
