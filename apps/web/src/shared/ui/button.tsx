import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-control text-center font-semibold transition-[background-color,color,transform] active:scale-[0.99] disabled:cursor-not-allowed aria-disabled:cursor-not-allowed';

const VARIANTS = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover disabled:bg-sunken disabled:text-ink3',
  secondary:
    'bg-surface text-ink ring-1 ring-inset ring-line hover:bg-sunken disabled:text-ink3 aria-disabled:text-ink3',
  quiet: 'text-primary hover:bg-primary-soft disabled:text-ink3 aria-disabled:text-ink3',
  danger:
    'bg-surface text-bad ring-1 ring-inset ring-line hover:bg-bad-soft disabled:text-ink3 aria-disabled:text-ink3',
  /** Confirms what takes something away. */
  destructive: 'bg-bad-ink text-on-primary disabled:bg-sunken disabled:text-ink3',
  /** Takes something away. Red only under the pointer: a column of red buttons would look like a column of errors. */
  removal: 'text-ink2 hover:bg-bad-soft hover:text-bad-ink aria-disabled:text-ink3',
} as const;

const SIZES = {
  normal: 'min-h-12 px-5 py-2.5',
  /** For tables, and beside titles. */
  small: 'min-h-11 px-3 py-1 text-small md:min-h-9',
} as const;

export type ButtonVariant = keyof typeof VARIANTS;

export function buttonClass(
  variant: ButtonVariant = 'primary',
  extra = '',
  size: keyof typeof SIZES = 'normal',
): string {
  return `${BASE} ${SIZES[size]} ${VARIANTS[variant]} ${extra}`;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  size?: keyof typeof SIZES;
  /** Shows a spinner beside the label. The button stays focusable; the caller decides what a second press does. */
  isPending?: boolean;
  /** Ignores presses for now, but keeps the focus, which `disabled` would lose. */
  isBusy?: boolean;
  children: ReactNode;
}

export function Button({
  variant = 'primary',
  size = 'normal',
  isPending = false,
  isBusy = false,
  onClick,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(isBusy ? { 'aria-disabled': true } : { onClick })}
      aria-busy={isPending || undefined}
      className={buttonClass(variant, className, size)}
    >
      {isPending ? <Spinner className="size-5" /> : null}
      {children}
    </button>
  );
}
