import { useStore } from '@nanostores/react';
import type { WalletCurrency } from '@vuka/contracts/http/common';
import { i18n } from '#shared/i18n/i18n.ts';
import { SelectField } from './select-field.tsx';

const MESSAGES = i18n('currency-select', {
  KES: 'Kenyan Shilling (KES)',
  TZS: 'Tanzanian Shilling (TZS)',
  USD: 'US Dollar (USD)',
});

interface CurrencySelectProps {
  label: string;
  /** The options, in order. */
  currencies: readonly (WalletCurrency | 'USD')[];
  value: string;
  name?: string;
  onChange: (value: string) => void;
}

export function CurrencySelect({ currencies, ...select }: CurrencySelectProps) {
  const t = useStore(MESSAGES);
  return <SelectField {...select} options={currencies.map((currency) => ({ value: currency, label: t[currency] }))} />;
}
