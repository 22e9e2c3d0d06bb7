import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { SavedRecipient } from '@vuka/contracts/http/recipients';
import { BookUser } from 'lucide-react';
import { Suspense, useState } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { recentRecipients } from './recent-recipients.ts';
import { RecipientChip } from './recipient-chip.tsx';

const MESSAGES = i18n('known-recipients', {
  recent: 'Recent recipients',
  saved: 'Saved recipients',
  none: 'After a transfer, the recipient appears here, so you need not type the number again.',
});

const PickRecipient = lazyAgain(async () => (await import('./pick-recipient.tsx')).PickRecipient);

interface SavedRecipientsProps {
  saved: readonly SavedRecipient[];
  onSelect: (phone: string) => void;
}

/** A button that opens the list of all saved recipients. */
export function SavedRecipients({ saved, onSelect }: SavedRecipientsProps) {
  const t = useStore(MESSAGES);
  const [isPicking, setIsPicking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="-my-1 -mr-2 inline-flex min-h-8 items-baseline gap-1.5 py-1 rounded-chip px-2 text-small font-semibold text-primary hover:bg-primary-soft"
        onClick={() => setIsPicking(true)}
      >
        <BookUser aria-hidden className="size-4 self-center" />
        {t.saved}
      </button>
      {isPicking ? (
        <Suspense>
          <PickRecipient
            recipients={saved}
            onClose={() => setIsPicking(false)}
            onPick={(phone) => {
              setIsPicking(false);
              onSelect(phone);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

interface KnownRecipientsProps {
  /** Undefined if they have not loaded. */
  saved: readonly SavedRecipient[] | undefined;
  /** The prefix of the country that the transfer pays to. */
  prefix: string;
  selected: string;
  onSelect: (phone: string) => void;
}

/** The user's recent recipients in the country that is paid, by their saved names. */
export function KnownRecipients({ saved: loaded, prefix, selected, onSelect }: KnownRecipientsProps) {
  const t = useStore(MESSAGES);
  const { data } = useQuery({ ...transactionsQuery('dashboard'), meta: { silent: true } });
  const phones = recentRecipients(data ?? [], prefix);
  const saved = loaded ?? [];
  if (phones.length === 0) {
    return data && loaded && saved.length === 0 ? <p className="text-caption text-ink3">{t.none}</p> : null;
  }
  return (
    <ul
      aria-label={t.recent}
      className="no-scrollbar relative -mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 lg:mx-0 lg:flex-wrap lg:overflow-visible lg:px-0"
    >
      {phones.map((phone) => (
        <li key={phone} className="shrink-0">
          <RecipientChip
            phone={phone}
            label={saved.find((recipient) => recipient.phone === phone)?.label}
            isSelected={phone === selected}
            onSelect={() => onSelect(phone)}
          />
        </li>
      ))}
    </ul>
  );
}
