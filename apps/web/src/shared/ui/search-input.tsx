import { Search } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { INPUT_CLASS } from './field.tsx';

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  onChange: (text: string) => void;
}

/** What is typed to search, with its icon, within a box of its own. */
export function SearchInput({ className = '', onChange, ...input }: SearchInputProps) {
  return (
    <>
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-4 size-5 text-ink3" />
      <input
        {...input}
        autoComplete="off"
        spellCheck={false}
        className={`${INPUT_CLASS} truncate pl-11 ${className}`}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}

/**
 * The text of a field whose value is stored in the address, which follows the typing late: a field that showed its value
 * would lose letters and move the caret. So it shows what was typed, and follows only values that it did not send.
 */
export function useTypedText(value: string, onSend: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState<readonly string[]>([]);
  if (value !== known) {
    setKnown(value);
    if (sent.includes(value)) setSent(sent.slice(sent.indexOf(value) + 1));
    else {
      setTyped(value);
      setSent([]);
    }
  }
  const send = (text: string): void => {
    setSent([...sent, text]);
    onSend(text);
  };
  return { typed, setTyped, send };
}
