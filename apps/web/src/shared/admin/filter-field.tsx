import type { ReactNode } from 'react';
import { Field } from '#shared/ui/field.tsx';
import { SearchInput, useTypedText } from '#shared/ui/search-input.tsx';

interface FilterFieldProps {
  label: string;
  /** What the field shows while it is empty; its label unless given. */
  placeholder?: string;
  hint?: ReactNode;
  /** Beside fields with visible labels. */
  hasLabel?: boolean;
  maxLength?: number;
  className?: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field whose text narrows a list. The icon and the placeholder replace a visible label, unless it has one. */
export function FilterField({
  label,
  placeholder = label,
  hint,
  hasLabel = false,
  className,
  value,
  onChange,
  ...input
}: FilterFieldProps) {
  const { typed, setTyped, send } = useTypedText(value, onChange);
  const type = (text: string): void => {
    setTyped(text);
    send(text);
  };
  return (
    <Field label={label} labelClass={hasLabel ? undefined : 'sr-only'} hint={hint} className={className}>
      {(attributes) => (
        <SearchInput {...input} {...attributes} type="search" placeholder={placeholder} value={typed} onChange={type} />
      )}
    </Field>
  );
}
