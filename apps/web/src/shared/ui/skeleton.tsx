/** A placeholder of the final size, so that nothing jumps when the content arrives. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={`block animate-appear rounded-chip bg-line ${className}`} />;
}
