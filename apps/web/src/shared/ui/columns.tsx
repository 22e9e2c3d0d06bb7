import type { ReactNode } from 'react';

/** Beside each other on a laptop, below each other on a narrower screen. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">{children}</div>;
}

/** Cards below each other. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>;
}
