import { Search } from 'lucide-react';
import type { InputHTMLAttributes } from 'react';
import { INPUT_CLASS } from './field.tsx';

interface SearchInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
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
        className={`${INPUT_CLASS} pl-11 ${className}`}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
