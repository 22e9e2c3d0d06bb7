import { useStore } from '@nanostores/react';
import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import { filterPin } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { FieldError } from './field-error.tsx';
import { INPUT_CLASS } from './text-field.tsx';

const MESSAGES = i18n('pin-field', { show: 'Show PIN', hide: 'Hide PIN' });

interface PinFieldProps {
  label: string;
  value: string;
  error?: string | undefined;
  name?: string;
  autoComplete: 'current-password' | 'new-password' | 'off';
  hint?: string;
  maxDigits?: number;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** A PIN as a plain password input, which password managers and screen readers support. */
export function PinField({
  label,
  value,
  error,
  name,
  autoComplete,
  hint,
  maxDigits = 4,
  onChange,
  onBlur,
}: PinFieldProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink2">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          name={name}
          type={isShown ? 'text' : 'password'}
          inputMode="numeric"
          autoComplete={autoComplete}
          value={value}
          className={`${INPUT_CLASS} nums pr-14 ${value ? 'font-semibold tracking-[0.4em]' : ''}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={hint && !error ? `${id}-hint` : `${id}-error`}
          onChange={(event) => onChange(filterPin(event.target.value, maxDigits))}
          onBlur={onBlur}
        />
        <button
          type="button"
          aria-label={isShown ? t.hide : t.show}
          aria-pressed={isShown}
          className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-ink3 hover:text-ink"
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden className="size-5" />
        </button>
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
