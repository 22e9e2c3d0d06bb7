import { i18n, language } from '#shared/i18n/i18n.ts';

// By hand, as CLDR has them for en-US and sw-KE: the first Intl formatter costs a cheap phone a tenth of a second.

const MESSAGES = i18n('date', { invalid: 'Invalid date', unavailable: 'Date unavailable' });

const MONTHS = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  sw: 'Jan Feb Mac Apr Mei Jun Jul Ago Sep Okt Nov Des'.split(' '),
};

/** Undefined for what is no date. */
function dateOf(value: string | number): Date | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function dayText(date: Date): string {
  const month = MONTHS[language.get()][date.getMonth()];
  return language.get() === 'sw'
    ? `${date.getDate()} ${month} ${date.getFullYear()}`
    : `${month} ${date.getDate()}, ${date.getFullYear()}`;
}

function timeText(date: Date): string {
  const hours = date.getHours();
  const minutes = String(date.getMinutes()).padStart(2, '0');
  if (language.get() === 'sw') return `${hours}:${minutes}`;
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** "Jan 5, 2024" */
export function formatDay(value: string, invalid = MESSAGES.get().invalid): string {
  const date = dateOf(value);
  return date ? dayText(date) : invalid;
}

/** "Jan 5, 2024, 2:05 PM" */
export function formatDayAndTime(value: string, invalid = MESSAGES.get().unavailable): string {
  const date = dateOf(value);
  return date ? `${dayText(date)}, ${timeText(date)}` : invalid;
}

/** "2:05 PM" */
export function formatTime(value: string | number): string {
  const date = dateOf(value);
  return date ? timeText(date) : '';
}
