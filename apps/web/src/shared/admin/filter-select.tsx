import type { ComponentProps } from 'react';
import { SelectField } from '#shared/ui/select-field.tsx';

/** As wide as what is chosen, but "All" alone would look like a button. */
const WIDTH = { fieldSizing: 'content', minWidth: 'min(7rem, 30vw)' } as const;

/** What a list shows, or its order. On a phone as wide as its place. */
export function FilterSelect({ className = '', ...select }: ComponentProps<typeof SelectField>) {
  return <SelectField {...select} style={WIDTH} className={`max-sm:w-full ${className}`} />;
}
