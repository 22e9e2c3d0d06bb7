import { useStore } from '@nanostores/react';
import { Timer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('countdown', { held: 'Rate held for' });

function useSecondsLeft(untilMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // A hold that began after the last tick must not read as longer than it is.
  return Math.max(0, Math.ceil((untilMs - Math.max(nowMs, Date.now())) / 1_000));
}

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
