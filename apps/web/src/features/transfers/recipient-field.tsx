import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { Direction } from '@vuka/money/corridors';
import { corridorOf, countryOf, directionTo } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import { recipientsQuery, useSavedName } from '#shared/api/recipients.api.ts';
import { readLocalPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { PhoneField } from '#shared/ui/phone-field.tsx';
import { canPickContact } from './contacts.ts';
import { isSavable } from './transfer-details.ts';

const MESSAGES = i18n('recipient-field', { label: 'Recipient phone' });

const ContactsButton = lazyExtra(
  () => import('./contacts-button.tsx').then((file) => file.ContactsButton),
  <div className="size-11 shrink-0" />,
);

const KnownRecipients = lazyExtra(() => import('./known-recipients.tsx').then((file) => file.KnownRecipients));

const SavedRecipients = lazyExtra(() => import('./known-recipients.tsx').then((file) => file.SavedRecipients));

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

export function RecipientField({ direction, phone, error, onRecipient, onBlur }: RecipientFieldProps) {
  const t = useStore(MESSAGES);
  const saved = useQuery(recipientsQuery()).data;
  const { source, target } = corridorOf(direction);
  const prefix = recipientPrefix(direction);
  const full = prefix + phone;
  const name = useSavedName(full);
  const read = (typed: string): void => {
    const local = readLocalPhone(typed);
    const named = local.country && directionTo(local.country, source);
    onRecipient({ phone: local.digits, ...(named ? { direction: named } : {}) });
  };
  return (
    <div>
      <PhoneField
        label={t.label}
        name="recipientPhone"
        country={countryOf(target)}
        digits={phone}
        error={error}
        autoComplete="off"
        labelAside={saved?.length ? <SavedRecipients saved={saved} onSelect={read} /> : null}
        trailing={canPickContact() ? <ContactsButton onPick={read} /> : null}
        onType={read}
        onBlur={onBlur}
      />
      {isSavable(phone) ? <RecipientFacts key={full} prefix={prefix} digits={phone} label={name} /> : null}
      {/* As high as one line of recipients, so that the button below stays where it is when they appear. */}
      <div className="mt-3 min-h-13">
        <KnownRecipients saved={saved} prefix={prefix} selected={full} onSelect={read} />
      </div>
    </div>
  );
}
