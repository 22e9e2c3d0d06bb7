import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field, INPUT_CLASS } from '#shared/ui/field.tsx';

interface FilterFieldProps {
  label: string;
  /** What the field shows while it is empty; its label unless given. */
  placeholder?: string;
  hint?: ReactNode;
  maxLength?: number;
  className?: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field whose text narrows a list. Its icon and its placeholder leave a label above it nothing to say. */
export function FilterField({ label, placeholder = label, hint, className, onChange, ...input }: FilterFieldProps) {
  return (
    <Field label={label} labelClass="sr-only" hint={hint} className={className}>
      {(attributes) => (
        <>
          <Search aria-hidden className="pointer-events-none absolute top-3.5 left-4 size-5 text-ink3" />
          <input
            {...input}
            {...attributes}
            type="search"
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            className={`${INPUT_CLASS} pl-11`}
            onChange={(event) => onChange(event.target.value)}
          />
        </>
      )}
    </Field>
  );
}
