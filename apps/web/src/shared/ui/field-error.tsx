import { CircleAlert } from 'lucide-react';

/** The error of one field: an icon and words, so that colour is not alone. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  return (
    <p id={id} aria-live="polite" className={text ? 'mt-1.5 flex items-start gap-1.5 text-small text-bad' : 'sr-only'}>
      {text ? (
        <>
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{text}</span>
        </>
      ) : null}
    </p>
  );
}
