import type { InputHTMLAttributes, ReactNode } from 'react';
import { Field, INPUT_CLASS } from './field.tsx';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** A button within the input, at its end. */
  trailing?: ReactNode;
  inputClass?: string;
  onChange: (value: string) => void;
}

export function TextField({
  label,
  error,
  hint,
  trailing,
  inputClass = '',
  onChange,
  className,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} className={className}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            {...input}
            className={`${INPUT_CLASS} ${trailing ? 'pr-14' : ''} ${inputClass}`}
            onChange={(event) => onChange(event.target.value)}
          />
          {trailing}
        </>
      )}
    </Field>
  );
}
