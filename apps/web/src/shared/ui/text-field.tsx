import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { FieldError } from './field-error.tsx';

export const INPUT_CLASS =
  'block h-12 w-full min-w-0 rounded-control border border-field bg-surface px-4 text-body text-ink outline-offset-0 [&[type=date]]:px-3 aria-invalid:border-bad disabled:bg-sunken disabled:text-ink3';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  error?: string | undefined;
  hint?: string;
  trailing?: ReactNode;
  onChange: (value: string) => void;
}

export function TextField({ label, error, hint, trailing, onChange, className = '', ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink2">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          className={`${INPUT_CLASS} ${trailing ? 'pr-14' : ''}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={hint && !error ? `${id}-hint` : `${id}-error`}
          onChange={(event) => onChange(event.target.value)}
        />
        {trailing}
      </div>
      {hint && !error ? (
        <p id={`${id}-hint`} className="mt-1.5 text-caption text-ink3">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
