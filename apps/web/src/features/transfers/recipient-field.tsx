import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { COUNTRIES, type Direction } from '@vuka/money/corridors';
import { corridorOf, countryOf, directionTo } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import { Contact } from 'lucide-react';
import { useId } from 'react';
import { recipientsQuery } from '#shared/api/recipients.api.ts';
import { groupPhone, readLocalPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { NAMES } from '#shared/i18n/names.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { FieldError } from '#shared/ui/field-error.tsx';
import { GroupedInput } from '#shared/ui/grouped-input.tsx';
import { canPickContact, pickContactPhone } from './contact-picker.ts';
import { isSavable } from './transfer-details.ts';

const MESSAGES = i18n('recipient-field', {
  label: 'Recipient phone',
  contacts: 'Choose from contacts',
});

// Last in the form, so nothing moves when it appears.
const KnownRecipients = lazyExtra(() => import('./known-recipients.tsx').then((file) => file.KnownRecipients));

const RecipientFacts = lazyExtra(
  () => import('./recipient-facts.tsx').then((file) => file.RecipientFacts),
  <div className="mt-1 min-h-8" />,
);

interface RecipientFieldProps {
  direction: Direction;
  phone: string;
  error: string | undefined;
  onRecipient: (recipient: { phone: string; direction?: Direction }) => void;
  onBlur: () => void;
}

function ContactsButton({ onPick }: { onPick: (phone: string) => void }) {
  const t = useStore(MESSAGES);
  const pick = async (): Promise<void> => {
    const phone = await pickContactPhone();
    if (phone) onPick(phone);
  };
  return (
    <button
      type="button"
      aria-label={t.contacts}
      className="grid size-12 shrink-0 place-items-center rounded-r-control text-primary hover:bg-primary-soft"
      onClick={() => void pick()}
    >
      <Contact aria-hidden className="size-5" />
    </button>
  );
}

export function RecipientField({ direction, phone, error, onRecipient, onBlur }: RecipientFieldProps) {
  const t = useStore(MESSAGES);
  const names = useStore(NAMES);
  const id = useId();
  const saved = useQuery(recipientsQuery()).data ?? [];
  const { source, target } = corridorOf(direction);
  const country = countryOf(target);
  const prefix = recipientPrefix(direction);
  const full = prefix + phone;
  const read = (typed: string): void => {
    const local = readLocalPhone(typed);
    const named = local.country && directionTo(local.country, source);
    onRecipient({ phone: local.digits, ...(named ? { direction: named } : {}) });
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink2">
        {t.label}
      </label>
      <div
        className={`flex rounded-control border bg-surface has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-primary ${error ? 'border-bad' : 'border-field'}`}
      >
        <span
          id={`${id}-prefix`}
          className="nums flex min-h-12 items-center rounded-l-control border-r border-line bg-sunken px-3.5 font-semibold text-ink2"
        >
          <span className="sr-only">{names[country]} </span>
          {prefix}
        </span>
        <GroupedInput
          id={id}
          name="recipientPhone"
          digits={phone}
          format={groupPhone}
          autoComplete="off"
          placeholder={groupPhone(COUNTRIES[country].example)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-prefix ${id}-error`}
          className="nums min-h-12 w-full min-w-0 rounded-r-control bg-transparent px-4 outline-none"
          onType={read}
          onBlur={onBlur}
        />
        {canPickContact() ? <ContactsButton onPick={read} /> : null}
      </div>
      <FieldError id={`${id}-error`} text={error} />
      {isSavable(phone) ? (
        <RecipientFacts
          key={full}
          prefix={prefix}
          digits={phone}
          label={saved.find((recipient) => recipient.phone === full)?.label}
        />
      ) : null}
      <KnownRecipients saved={saved} prefix={prefix} selected={full} onSelect={read} />
    </div>
  );
}
