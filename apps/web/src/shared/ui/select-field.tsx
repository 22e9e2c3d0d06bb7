import { ChevronDown } from 'lucide-react';
import type { SelectHTMLAttributes } from 'react';
import { Field, INPUT_CLASS } from './field.tsx';

interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  label: string;
  labelClass?: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** The platform's own select, which works best on a phone. */
export function SelectField({ label, labelClass, hint, options, onChange, className, ...select }: SelectFieldProps) {
  return (
    <Field label={label} labelClass={labelClass} hint={hint} className={className}>
      {(attributes) => (
        <>
          <select
            {...select}
            {...attributes}
            className={`${INPUT_CLASS} appearance-none truncate pr-11`}
            onChange={(event) => onChange(event.target.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden className="pointer-events-none absolute top-3.5 right-3.5 size-5 text-ink3" />
        </>
      )}
    </Field>
  );
}
