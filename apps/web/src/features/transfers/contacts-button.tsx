import { useStore } from '@nanostores/react';
import { Contact } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { contactsOf } from './contacts.ts';

const MESSAGES = i18n('contacts-button', { contacts: 'Choose from contacts' });

/** The number of the contact that the user picks; undefined if none was picked or it has no number. */
async function pickContactPhone(): Promise<string | undefined> {
  const picked = await contactsOf(navigator)
    ?.select(['tel'], { multiple: false })
    .catch(() => []);
  return picked?.[0]?.tel?.[0];
}

/** Lets the user pick a contact of the phone. Only for browsers that can. */
export function ContactsButton({ onPick }: { onPick: (phone: string) => void }) {
  const t = useStore(MESSAGES);
  const pick = async (): Promise<void> => {
    const phone = await pickContactPhone();
    if (phone) onPick(phone);
  };
  return (
    <button
      type="button"
      aria-label={t.contacts}
      className="grid size-11 shrink-0 place-items-center rounded-r-control text-primary hover:bg-primary-soft"
      onClick={() => void pick()}
    >
      <Contact aria-hidden className="size-5" />
    </button>
  );
}
