import { params } from '@nanostores/i18n';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('delivery', { seconds: params('{count} s'), minutes: params('{count} min') });

const LONGEST_NAMED_MS = 60 * 60_000;

/** "4 s", "3 min": how long a final transfer took, which is not changed again. Undefined from an hour on. */
export function deliveryTime({
  created_at,
  updated_at,
}: {
  created_at: string;
  updated_at: string;
}): string | undefined {
  const tookMs = Date.parse(updated_at) - Date.parse(created_at);
  if (!(tookMs >= 0 && tookMs < LONGEST_NAMED_MS)) return undefined;
  const t = MESSAGES.get();
  const seconds = Math.max(1, Math.round(tookMs / 1_000));
  return seconds < 60 ? t.seconds({ count: seconds }) : t.minutes({ count: Math.round(seconds / 60) });
}
