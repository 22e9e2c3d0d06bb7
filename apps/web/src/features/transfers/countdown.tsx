import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';
import { useSecondsLeft } from '#shared/use-seconds-left.ts';

const MESSAGES = i18n('countdown', { held: 'Rate held for' });

const HOLD_SECONDS = 60;

export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The remaining time of the hold, as a ring that empties. */
function Ring({ share }: { share: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className="size-4 shrink-0 -rotate-90" fill="none" strokeWidth="3">
      <circle cx="10" cy="10" r="8" className="stroke-line" />
      <circle
        cx="10"
        cy="10"
        r="8"
        pathLength="1"
        strokeDasharray="1"
        strokeDashoffset={1 - share}
        strokeLinecap="round"
        className="stroke-primary transition-[stroke-dashoffset]"
      />
    </svg>
  );
}

export function Countdown({ untilMs }: { untilMs: number }) {
  const t = useStore(MESSAGES);
  const seconds = useSecondsLeft(untilMs);
  return (
    <span role="timer" className="nums inline-flex items-center gap-1.5">
      <Ring share={Math.min(1, seconds / HOLD_SECONDS)} />
      {t.held} {formatCountdown(seconds)}
    </span>
  );
}
