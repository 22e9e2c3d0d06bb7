import { TriangleAlert } from 'lucide-react';

/** A warning about what is being typed; screen readers announce it when it appears. */
export function InputWarning({ text }: { text: string | undefined }) {
  return (
    <p role="status" className="text-small text-warn-ink">
      {text ? (
        <span className="mt-1.5 flex items-start gap-1.5 rounded-chip bg-warn-soft px-2.5 py-1.5">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {text}
        </span>
      ) : null}
    </p>
  );
}
