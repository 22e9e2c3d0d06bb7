import { useStore } from '@nanostores/react';
import type { SavedRecipient } from '@vuka/contracts/http/recipients';
import { useState } from 'react';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ModalDialog } from '#shared/ui/modal-dialog.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { RecipientMark } from './recipient-chip.tsx';

const MESSAGES = i18n('pick-recipient', {
  title: 'Saved recipients',
  search: 'Search by name or number',
  none: 'No name or number matches',
  close: 'Close',
});

/** The recipients whose name or number contains the typed text. */
export function findRecipients(recipients: readonly SavedRecipient[], typed: string): SavedRecipient[] {
  const text = typed.trim().toLowerCase();
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return recipients.filter(
    ({ phone, label }) => label.toLowerCase().includes(text) || (digits !== '' && phone.includes(digits)),
  );
}

interface PickRecipientProps {
  recipients: readonly SavedRecipient[];
  onPick: (phone: string) => void;
  onClose: () => void;
}

export function PickRecipient({ recipients, onPick, onClose }: PickRecipientProps) {
  const t = useStore(MESSAGES);
  const [typed, setTyped] = useState('');
  const found = findRecipients(recipients, typed);
  return (
    <ModalDialog title={t.title} onCancel={onClose}>
      <TextField className="mt-3" label={t.search} type="search" autoComplete="off" value={typed} onChange={setTyped} />
      <ul className="-mx-2 mt-2 max-h-[50dvh] overflow-y-auto">
        {found.map(({ phone, label }) => (
          <li key={phone}>
            <button
              type="button"
              className="flex min-h-14 w-full items-center gap-3 rounded-control px-2 text-left -outline-offset-3 hover:bg-sunken"
              onClick={() => onPick(phone)}
            >
              <RecipientMark phone={phone} label={label} />
              <span className="min-w-0">
                <span className="block truncate font-medium">{label}</span>
                <span className="nums block text-small text-ink2">{formatPhone(phone)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-small text-ink2">
        {found.length === 0 ? t.none : ''}
      </p>
      <Button variant="secondary" className="mt-4 w-full" onClick={onClose}>
        {t.close}
      </Button>
    </ModalDialog>
  );
}
