import { useStore } from '@nanostores/react';
import { CircleAlert } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from './button.tsx';

const MESSAGES = i18n('load-error', { tryAgain: 'Try again' });

interface LoadErrorProps {
  title: string;
  detail?: string;
  onRetry: () => void;
}

/** Replaces content that failed to load: what is missing, why, and a button to retry. */
export function LoadError({ title, detail, onRetry }: LoadErrorProps) {
  const t = useStore(MESSAGES);
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-8 text-center">
      <CircleAlert aria-hidden className="size-8 text-bad" />
      <p className="mt-3 font-semibold text-balance">{title}</p>
      {detail ? <p className="mt-1 max-w-[44ch] text-small text-balance text-ink2">{detail}</p> : null}
      <Button variant="secondary" className="mt-4" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </div>
  );
}
