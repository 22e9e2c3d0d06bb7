import { TextField } from '#shared/ui/text-field.tsx';

interface CodeFieldProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A six-digit code. Phones offer the one from the latest SMS. */
export function CodeField({ onChange, ...field }: CodeFieldProps) {
  return (
    <TextField
      {...field}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      onChange={(typed) => onChange(typed.replace(/\D/g, '').slice(0, 6))}
    />
  );
}
