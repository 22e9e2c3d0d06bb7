import type { ReactNode } from 'react';

export type Facts = readonly (readonly [label: string, value: ReactNode])[];

/** Labels and values of one record, side by side on a wide screen; a long label leaves half of the width to its value. */
export function FactList({ facts }: { facts: Facts }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 text-small xs:grid-cols-[auto_minmax(50%,1fr)]">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="[overflow-wrap:anywhere] text-ink3">{label}</dt>
          <dd className="nums mb-1 [overflow-wrap:anywhere] xs:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
