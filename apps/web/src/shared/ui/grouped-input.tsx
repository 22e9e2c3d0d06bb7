import { type ChangeEvent, type InputHTMLAttributes, useLayoutEffect, useRef } from 'react';

interface GroupedInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  digits: string;
  format: (digits: string) => string;
  /** Interprets text that is inserted at once, such as a paste, before the surrounding text changes its meaning. */
  readInserted?: (inserted: string) => string;
  onType: (typed: string) => void;
}

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}

function caretAfter(text: string, digitCount: number): number {
  let seen = 0;
  // Never in front of a leading plus, which says how the digits are read.
  for (let at = text.startsWith('+') ? 1 : 0; at < text.length; at++) {
    if (seen === digitCount) return at;
    if (/\d/.test(text.charAt(at))) seen++;
  }
  return text.length;
}

/** The length of the common prefix of two texts. */
function sharedLength(before: string, after: string): number {
  let at = 0;
  while (at < after.length && before.charAt(at) === after.charAt(at)) at++;
  return at;
}

/** An input that groups digits while they are typed, and keeps the caret behind the same digit. */
export function GroupedInput({ digits, format, readInserted, onType, ...input }: GroupedInputProps) {
  const ref = useRef<HTMLInputElement>(null);
  const digitsBeforeCaret = useRef<number | undefined>(undefined);
  const text = format(digits);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || digitsBeforeCaret.current === undefined || document.activeElement !== element) return;
    const caret = caretAfter(text, digitsBeforeCaret.current);
    element.setSelectionRange(caret, caret);
    digitsBeforeCaret.current = undefined;
  });
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    const { value, selectionStart } = event.target;
    const caret = selectionStart ?? value.length;
    const head = value.slice(0, caret);
    // The inserted text ends at the caret.
    const from = sharedLength(text, head);
    const typed = head.slice(0, from) + (readInserted?.(head.slice(from)) ?? head.slice(from));
    digitsBeforeCaret.current = countDigits(typed);
    onType(typed + value.slice(caret));
  };
  return <input {...input} ref={ref} type="text" inputMode="numeric" value={text} onChange={onChange} />;
}
