import { useStore } from '@nanostores/react';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { filterPin } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { TextField } from './text-field.tsx';

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
export function PinField({ maxDigits = 4, onChange, ...field }: PinFieldProps) {
  const t = useStore(MESSAGES);
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      inputMode="numeric"
      inputClass={`nums ${field.value ? 'font-semibold tracking-[0.4em]' : ''}`}
      onChange={(typed) => onChange(filterPin(typed, maxDigits))}
      trailing={
        <button
          type="button"
          aria-label={isShown ? t.hide : t.show}
          aria-pressed={isShown}
          className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-ink3 hover:text-ink"
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden className="size-5" />
        </button>
      }
    />
  );
}
