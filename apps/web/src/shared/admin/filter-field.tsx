import { type ReactNode, useState } from 'react';
import { Field } from '#shared/ui/field.tsx';
import { SearchInput } from '#shared/ui/search-input.tsx';

interface FilterFieldProps {
  label: string;
  /** What the field shows while it is empty; its label unless given. */
  placeholder?: string;
  hint?: ReactNode;
  maxLength?: number;
  className?: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field whose text narrows a list. The icon and the placeholder replace a visible label. */
export function FilterField({
  label,
  placeholder = label,
  hint,
  className,
  value,
  onChange,
  ...input
}: FilterFieldProps) {
  const { typed, type } = useTyped(value, onChange);
  return (
    <Field label={label} labelClass="sr-only" hint={hint} className={className}>
      {(attributes) => (
        <SearchInput {...input} {...attributes} type="search" placeholder={placeholder} value={typed} onChange={type} />
      )}
    </Field>
  );
}

/**
 * The text of a field whose value is stored elsewhere. An address follows the typing late: a field that showed its value
 * would lose letters and move the caret. So it shows what was typed, and follows only values that were not typed.
 */
function useTyped(value: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [pending, setPending] = useState<readonly string[]>([]);
  if (value !== known) {
    setKnown(value);
    if (pending.includes(value)) setPending(pending.slice(pending.indexOf(value) + 1));
    else {
      setTyped(value);
      setPending([]);
    }
  }
  const type = (text: string): void => {
    setTyped(text);
    setPending([...pending, text]);
    onChange(text);
  };
  return { typed, type };
}
