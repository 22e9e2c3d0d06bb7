import { Timer } from 'lucide-react';
import { useEffect, useState } from 'react';

const TEXT = { held: 'Rate held for' } as const;

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
  const seconds = useSecondsLeft(untilMs);
  return (
    <span role="timer" className="nums inline-flex items-center gap-1.5 whitespace-nowrap">
      <Timer aria-hidden className="size-4" />
      {TEXT.held} {formatCountdown(seconds)}
    </span>
  );
}
