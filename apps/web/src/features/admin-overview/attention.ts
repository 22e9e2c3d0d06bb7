import { ageInMinutes, LATE_MINUTES } from '#shared/admin/stuck-age.ts';

/** Something that waits for an administrator. */
export interface Attention {
  what:
    | 'stuck'
    | 'withdrawals'
    | 'credits'
    | 'adjustments'
    | 'rates'
    | 'limits'
    | 'approvalLimits'
    | 'administrators'
    | 'exceptions'
    | 'dead'
    | 'left';
  /** Undefined while it is unknown. */
  count: number | undefined;
  /** Whether it is unknown because it could not be read. */
  isUnavailable?: boolean;
  /** Only the first of several pages was counted. */
  hasMore?: boolean;
  /** When the oldest of them began to wait. */
  since?: string | null | undefined;
  to: string;
}

/** What went wrong; the others are decisions, which wait as a matter of course. */
const TROUBLES: readonly Attention['what'][] = ['stuck', 'exceptions', 'dead', 'left'];

/** From the most urgent on. */
const TONES = ['bad', 'warn', 'due'] as const;

export type Tone = (typeof TONES)[number];

export const TONE_CLASSES: Readonly<Record<Tone, string>> = {
  bad: 'bg-bad-soft text-bad-ink',
  warn: 'bg-warn-soft text-warn-ink',
  due: 'bg-primary-soft text-primary-ink',
};

/** A transfer that waits too long is as red here as in its list. */
export function toneOf({ what, since }: Pick<Attention, 'what' | 'since'>): Tone {
  if (what === 'stuck' && since && ageInMinutes(since) > LATE_MINUTES) return 'bad';
  return TROUBLES.includes(what) ? 'warn' : 'due';
}

/** What waits on one page, together: a sum that more may be behind, as urgent as its most urgent part. */
export function waitingOn(page: string, items: readonly Attention[]): { text: string; tone: Tone } | undefined {
  const waiting = items.filter(({ to, count }) => to === page && count);
  const tones = waiting.map(toneOf);
  const tone = TONES.find((each) => tones.includes(each));
  if (!tone) return undefined;
  const sum = waiting.reduce((all, { count = 0 }) => all + count, 0);
  return { text: `${sum}${waiting.some(({ hasMore }) => hasMore) ? '+' : ''}`, tone };
}
