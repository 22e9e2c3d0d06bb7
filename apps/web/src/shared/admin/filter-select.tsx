import type { ComponentProps } from 'react';
import { SelectField } from '#shared/ui/select-field.tsx';

/** What a list shows, or its order. As wide as what is chosen; on a phone as wide as its place. */
export function FilterSelect({ className = '', ...select }: ComponentProps<typeof SelectField>) {
  return <SelectField {...select} style={{ fieldSizing: 'content' }} className={`max-sm:w-full ${className}`} />;
}
