import { type ReactNode, useId } from 'react';
import { FieldError } from './field-error.tsx';

export const INPUT_CLASS =
  'block h-12 w-full min-w-0 rounded-control border border-field bg-surface px-4 text-body text-ink outline-offset-0 [&[type=date]]:px-3 aria-invalid:border-bad disabled:bg-sunken disabled:text-ink3';

interface FieldProps {
  label: string;
  /** `sr-only` hides the label if a placeholder or the value already identifies the input. */
  labelClass?: string | undefined;
  /** At the end of the label's line. */
  labelAside?: ReactNode;
  error?: string | undefined;
  /** Shown while there is no error. */
  hint?: ReactNode;
  className?: string | undefined;
  /** The input, which must take these attributes. */
  children: (input: { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string }) => ReactNode;
}

/** A label, an input, and its hint or error, connected for screen readers. */
export function Field({
  label,
  labelClass = 'mb-1.5 block text-small font-medium text-ink2',
  labelAside,
  error,
  hint,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const shownHint = error ? undefined : hint;
  return (
    <div className={className}>
      <div className={labelAside ? 'flex flex-wrap items-baseline justify-between gap-x-3' : 'contents'}>
        <label htmlFor={id} className={labelClass}>
          {label}
        </label>
        {labelAside}
      </div>
      <div className="relative">
        {children({
          id,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': shownHint ? `${id}-hint` : `${id}-error`,
        })}
      </div>
      {shownHint ? (
        <div id={`${id}-hint`} className="mt-1.5 text-caption text-ink3">
          {shownHint}
        </div>
      ) : null}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
