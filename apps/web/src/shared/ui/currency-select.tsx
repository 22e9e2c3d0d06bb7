import { useStore } from '@nanostores/react';
import type { Currency } from '@vuka/money/corridors';
import { NAMES } from '#shared/i18n/names.ts';
import { SelectField } from './select-field.tsx';

interface CurrencySelectProps {
  label: string;
  /** The options, in order. */
  currencies: readonly Currency[];
  value: string;
  name?: string;
  onChange: (value: string) => void;
}

/** The code comes first: a narrow select cuts off the end of its text. */
export function CurrencySelect({ currencies, ...select }: CurrencySelectProps) {
  const names = useStore(NAMES);
  return (
    <SelectField {...select} options={currencies.map((code) => ({ value: code, label: `${code} · ${names[code]}` }))} />
  );
}
