import { COUNTRIES } from '@vuka/money/corridors';
import { splitPhone } from '@vuka/money/phones';
import { Smartphone } from 'lucide-react';
import { formatPhone, groupPhone } from '#shared/format/phone.ts';
import { walletColour } from '#shared/ui/wallet-colour.ts';

/** The initials of a name, if there is one. */
export function initialsOf(label: string | undefined): string {
  const words = label?.split(/\s+/).filter(Boolean) ?? [];
  const initials = words.slice(0, 2).map(([first = '']) => first.toUpperCase());
  return initials.join('');
}

export function RecipientMark({ phone, label }: { phone: string; label: string | undefined }) {
  const country = splitPhone(phone)?.country;
  return (
    <span
      aria-hidden
      className={`grid size-7 shrink-0 place-items-center rounded-full text-[0.6875rem] font-bold text-white ${walletColour(country && COUNTRIES[country].currency)}`}
    >
      {initialsOf(label) || <Smartphone className="size-4" />}
    </span>
  );
}

interface RecipientChipProps {
  phone: string;
  label: string | undefined;
  isSelected: boolean;
  onSelect: () => void;
}

export function RecipientChip({ phone, label, isSelected, onSelect }: RecipientChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      className="inline-flex min-h-11 items-center gap-2 rounded-full bg-surface pr-4 pl-2 text-small font-medium ring-1 ring-inset ring-line hover:bg-sunken aria-pressed:bg-primary-soft aria-pressed:text-primary-ink aria-pressed:ring-primary"
      onClick={onSelect}
    >
      <RecipientMark phone={phone} label={label} />
      {label === undefined ? (
        <>
          {/* The field above names the country. */}
          <span aria-hidden>{groupPhone(splitPhone(phone)?.local ?? phone)}</span>
          <span className="sr-only">{formatPhone(phone)}</span>
        </>
      ) : (
        <>
          <span className="max-w-40 truncate">{label}</span>
          <span className="sr-only">{formatPhone(phone)}</span>
        </>
      )}
    </button>
  );
}
