import { eastAfricaClock } from '@vuka/contracts/http/days';
import { i18n, language } from '#shared/i18n/i18n.ts';

// Days and times are East African, where the wallets are, whatever the device's time zone: lists, filters, statements
// and messages then agree on the day of a transfer.

// Formatted by hand, like CLDR for en-US and sw-KE: the first Intl formatter costs a cheap phone a tenth of a second.

const MESSAGES = i18n('date', { invalid: 'Invalid date', unavailable: 'Date unavailable' });

const MONTHS = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  sw: 'Jan Feb Mac Apr Mei Jun Jul Ago Sep Okt Nov Des'.split(' '),
};

const EAST_AFRICA_OFFSET_MIN = -180;

/** The time in East Africa, in the UTC fields. Undefined for an invalid date. */
function clockAt(value: string | number): Date | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : eastAfricaClock(date.getTime());
}

function dayText(clock: Date): string {
  const month = MONTHS[language.get()][clock.getUTCMonth()];
  return language.get() === 'sw'
    ? `${clock.getUTCDate()} ${month} ${clock.getUTCFullYear()}`
    : `${month} ${clock.getUTCDate()}, ${clock.getUTCFullYear()}`;
}

function timeText(clock: Date, hasSeconds = false): string {
  const hours = clock.getUTCHours();
  const digits = (value: number): string => String(value).padStart(2, '0');
  const seconds = hasSeconds ? `:${digits(clock.getUTCSeconds())}` : '';
  const minutes = `${digits(clock.getUTCMinutes())}${seconds}`;
  // The zone is named if the device's own clock shows another time.
  const zone = clock.getTimezoneOffset() === EAST_AFRICA_OFFSET_MIN ? '' : ' EAT';
  if (language.get() === 'sw') return `${digits(hours)}:${minutes}${zone}`;
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}${zone}`;
}

/** "Jan 5, 2024", for a timestamp or a day such as 2024-01-05 */
export function formatDay(value: string, invalid = MESSAGES.get().invalid): string {
  const clock = clockAt(value);
  return clock ? dayText(clock) : invalid;
}

/** "Jan 5, 2024, 2:05 PM" */
export function formatDayAndTime(value: string, invalid = MESSAGES.get().unavailable): string {
  const clock = clockAt(value);
  return clock ? `${dayText(clock)}, ${timeText(clock)}` : invalid;
}

/** "2:05 PM" on the same East African day as `reference`, which is now unless given; otherwise with its own day. */
export function formatTimeOn(
  value: string | number,
  reference: string | number = Date.now(),
  hasSeconds = false,
): string {
  const clock = clockAt(value);
  const day = clockAt(reference);
  if (!clock || !day) return '';
  const time = timeText(clock, hasSeconds);
  return dayText(clock) === dayText(day) ? time : `${dayText(clock)}, ${time}`;
}

/** "2:05 PM", below its day or right after something happened; "2:05:09 PM" with seconds. */
export function formatTime(value: string | number, hasSeconds = false): string {
  const clock = clockAt(value);
  return clock ? timeText(clock, hasSeconds) : '';
}
