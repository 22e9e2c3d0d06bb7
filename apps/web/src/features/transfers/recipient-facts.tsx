import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { Star } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { RecipientHolder } from './recipient-holder.tsx';

const MESSAGES = i18n('recipient-facts', {
  save: 'Save',
  edit: params('Saved as {label}'),
});

const SaveRecipient = lazyAgain(async () => (await import('./save-recipient.tsx')).SaveRecipient);

interface RecipientFactsProps {
  prefix: string;
  /** The local digits of a complete number. */
  digits: string;
  /** The name under which the number is saved. */
  label: string | undefined;
}

/** Below a complete number: who is paid, and a star that saves it under a name. */
export function RecipientFacts({ prefix, digits, label }: RecipientFactsProps): ReactNode {
  const t = useStore(MESSAGES);
  const [isSaving, setIsSaving] = useState(false);
  return (
    <div className="mt-1 flex min-h-8 flex-wrap items-center justify-between gap-x-3 text-small text-ink2">
      <RecipientHolder phone={prefix + digits} />
      <button
        type="button"
        className="-mr-2 inline-flex min-h-8 min-w-0 items-center gap-1.5 rounded-chip px-2 font-semibold text-primary hover:bg-primary-soft"
        aria-label={label === undefined ? undefined : t.edit({ label })}
        onClick={() => setIsSaving(true)}
      >
        <Star aria-hidden className={`size-4 shrink-0 ${label === undefined ? '' : 'fill-primary'}`} />
        <span className="max-w-56 truncate">{label ?? t.save}</span>
      </button>
      {isSaving ? (
        <Suspense>
          <SaveRecipient phone={prefix + digits} label={label} onClose={() => setIsSaving(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
