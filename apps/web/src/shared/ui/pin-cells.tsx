import { type Ref, useId } from 'react';
import { filterPin } from '#shared/format/phone.ts';
import { FieldError } from './field-error.tsx';

const CELLS = [0, 1, 2, 3] as const;

interface PinCellsProps {
  label: string;
  value: string;
  error: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  isDisabled: boolean;
  onChange: (pin: string) => void;
}

/**
 * One real password input over four drawn cells: the keyboard, screen readers and password managers see a single field.
 */
export function PinCells({ label, value, error, inputRef, isDisabled, onChange }: PinCellsProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-center text-small font-medium text-ink2">
        {label}
      </label>
      <div className="group relative mx-auto max-w-61">
        <div aria-hidden className="flex gap-3">
          {CELLS.map((cell) => (
            <span
              key={cell}
              className={`grid h-14 min-w-0 flex-1 place-items-center rounded-control border bg-surface ${error ? 'border-bad' : 'border-field'} ${cell === Math.min(value.length, 3) ? 'group-focus-within:border-primary group-focus-within:ring-3 group-focus-within:ring-primary' : ''}`}
            >
              {cell < value.length ? <span className="size-3 rounded-full bg-ink" /> : null}
            </span>
          ))}
        </div>
        {/* Scrolled into view, it stays above the button that sticks to the bottom. */}
        <input
          ref={inputRef}
          id={id}
          name="pin"
          type="password"
          inputMode="numeric"
          autoComplete="current-password"
          value={value}
          readOnly={isDisabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error`}
          className="absolute inset-0 w-full scroll-mb-44 cursor-text bg-transparent text-transparent caret-transparent opacity-0"
          onChange={(event) => onChange(filterPin(event.target.value))}
        />
      </div>
      <div className="grid justify-center">
        <FieldError id={`${id}-error`} text={error} />
      </div>
    </div>
  );
}
