import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { transactionsQuery } from '#shared/api/transactions.api.ts';
import { type Direction, formatPhone, groupPhone, phonePrefix, readLocalPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { FieldError } from '#shared/ui/field-error.tsx';
import { GroupedInput } from './grouped-input.tsx';
import { recentRecipients } from './recent-recipients.ts';

const MESSAGES = i18n('recipient-field', {
  label: 'Recipient phone',
  recent: 'Recent recipients',
  kenya: 'Kenya',
  tanzania: 'Tanzania',
});

interface RecipientFieldProps {
  direction: Direction;
  phone: string;
  error: string | undefined;
  onRecipient: (recipient: { phone: string; direction?: Direction }) => void;
  onBlur: () => void;
}

function RecentRecipients({ selected, onSelect }: { selected: string; onSelect: (phone: string) => void }) {
  const t = useStore(MESSAGES);
  const { data } = useQuery({ ...transactionsQuery('dashboard'), meta: { silent: true } });
  const phones = recentRecipients(data ?? []);
  if (phones.length === 0) return null;
  return (
    <section aria-label={t.recent} className="mt-3">
      <p className="mb-1 text-caption text-ink3">{t.recent}</p>
      <ul className="no-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6">
        {phones.map((phone) => (
          <li key={phone} className="shrink-0">
            <button
              type="button"
              aria-pressed={phone === selected}
              className="nums inline-flex min-h-11 items-center gap-2 rounded-full bg-surface pr-4 pl-2 text-small font-medium ring-1 ring-inset ring-line hover:bg-sunken aria-pressed:bg-primary-soft aria-pressed:text-primary-ink aria-pressed:ring-primary"
              onClick={() => onSelect(phone)}
            >
              <span
                aria-hidden
                className={`grid size-7 place-items-center rounded-full text-[0.6875rem] font-bold text-white ${phone.startsWith('+254') ? 'bg-kes' : 'bg-tzs'}`}
              >
                {phone.startsWith('+254') ? 'KE' : 'TZ'}
              </span>
              {formatPhone(phone)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function RecipientField({ direction, phone, error, onRecipient, onBlur }: RecipientFieldProps) {
  const t = useStore(MESSAGES);
  const id = useId();
  const prefix = phonePrefix(direction);
  const read = (typed: string): void => {
    const local = readLocalPhone(typed);
    onRecipient({ phone: local.digits, ...(local.direction ? { direction: local.direction } : {}) });
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink2">
        {t.label}
      </label>
      <div
        className={`flex rounded-control border bg-surface has-focus-visible:outline-3 has-focus-visible:outline-primary ${error ? 'border-bad' : 'border-field'}`}
      >
        <span
          id={`${id}-prefix`}
          className="nums flex min-h-12 items-center rounded-l-control border-r border-line bg-sunken px-3.5 font-semibold text-ink2"
        >
          <span className="sr-only">{prefix === '+255' ? t.tanzania : t.kenya} </span>
          {prefix}
        </span>
        <GroupedInput
          id={id}
          name="recipientPhone"
          digits={phone}
          format={groupPhone}
          autoComplete="off"
          placeholder="712 345 678"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-prefix ${id}-error`}
          className="nums min-h-12 w-full min-w-0 rounded-r-control bg-transparent px-4 outline-none"
          onType={read}
          onBlur={onBlur}
        />
      </div>
      <FieldError id={`${id}-error`} text={error} />
      <RecentRecipients selected={prefix + phone} onSelect={read} />
    </div>
  );
}
