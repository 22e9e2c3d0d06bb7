import { amountDigits, dropDecimals, groupDigits } from '#shared/format/money.ts';
import { GroupedInput } from './grouped-input.tsx';

interface AmountInputProps {
  /** The error of the field is in the element `<id>-error`. */
  id: string;
  /** What it is called, where its label is not all of that. */
  name?: string;
  digits: string;
  isWrong: boolean;
  onAmount: (digits: string) => void;
  onBlur?: () => void;
}

/** An amount in whole units, large and grouped. */
export function AmountInput({ id, name, digits, isWrong, onAmount, onBlur }: AmountInputProps) {
  return (
    <GroupedInput
      id={id}
      name="amount"
      aria-label={name}
      digits={digits}
      format={groupDigits}
      readInserted={dropDecimals}
      placeholder="0"
      autoComplete="off"
      aria-invalid={isWrong ? true : undefined}
      aria-describedby={`${id}-error`}
      className={`nums w-full min-w-0 rounded-chip bg-transparent text-amount font-bold tracking-amount outline-offset-0 ${isWrong ? 'text-bad' : ''}`}
      onType={(typed) => onAmount(amountDigits(typed))}
      onBlur={onBlur}
    />
  );
}
