import { useStore } from '@nanostores/react';
import { Timer } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { useSecondsLeft } from '#shared/use-seconds-left.ts';

const MESSAGES = i18n('countdown', { held: 'Rate held for' });

export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function Countdown({ untilMs }: { untilMs: number }) {
  const t = useStore(MESSAGES);
  const seconds = useSecondsLeft(untilMs);
  return (
    <span role="timer" className="nums inline-flex items-center gap-1.5 whitespace-nowrap">
      <Timer aria-hidden className="size-4" />
      {t.held} {formatCountdown(seconds)}
    </span>
  );
}
