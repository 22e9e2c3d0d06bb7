import type { ComponentProps } from 'react';
import { TextField } from '#shared/ui/text-field.tsx';

/** A field whose text narrows a list. */
export function FilterField(field: ComponentProps<typeof TextField>) {
  return <TextField {...field} type="search" autoComplete="off" spellCheck={false} />;
}
