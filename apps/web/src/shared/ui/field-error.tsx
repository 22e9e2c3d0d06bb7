import { useStore } from '@nanostores/react';
import { CircleAlert } from 'lucide-react';
import { REFUSAL_TEXTS, ruleText } from '#shared/i18n/refusal-texts.ts';

/** The error of a field in the user's language. Has an icon, so that colour is not the only sign of an error. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  useStore(REFUSAL_TEXTS);
  return (
    <p id={id} aria-live="polite" className={text ? 'mt-1.5 flex items-start gap-1.5 text-small text-bad' : 'sr-only'}>
      {text ? (
        <>
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{ruleText(text)}</span>
        </>
      ) : null}
    </p>
  );
}
