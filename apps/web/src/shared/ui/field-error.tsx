import { useStore } from '@nanostores/react';
import { CircleAlert } from 'lucide-react';

import { SENTENCES, translate } from '#shared/i18n/sentences.ts';

/** The error of one field, in the user's language: an icon and a text, so that colour is not the only sign. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  useStore(SENTENCES);
  return (
    <p id={id} aria-live="polite" className={text ? 'mt-1.5 flex items-start gap-1.5 text-small text-bad' : 'sr-only'}>
      {text ? (
        <>
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{translate(text)}</span>
        </>
      ) : null}
    </p>
  );
}
