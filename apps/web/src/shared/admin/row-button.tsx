import type { ButtonHTMLAttributes } from 'react';

const LOOKS = {
  plain: 'text-primary hover:bg-primary-soft',
  danger: 'text-ink2 hover:bg-bad-soft hover:text-bad-ink',
} as const;

interface RowButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Takes something away. Red only under the pointer: a column of red buttons would look like a column of errors. */
  isDanger?: boolean;
  /** Ignores presses for now, but keeps the focus, which `disabled` would lose. */
  isBusy?: boolean;
}

/** An action that every row of a table has, so it has no edge. Its text aligns with what is above and below. */
export function RowButton({ isDanger, isBusy, onClick, className = '-mx-3', ...rest }: RowButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(isBusy ? { 'aria-disabled': true } : { onClick })}
      className={`inline-flex min-h-11 items-center rounded-control px-3 py-1 text-small font-semibold aria-disabled:cursor-not-allowed aria-disabled:text-ink3 md:min-h-9 ${LOOKS[isDanger ? 'danger' : 'plain']} ${className}`}
    />
  );
}
