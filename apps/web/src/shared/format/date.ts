import { i18n, locale } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('date', { invalid: 'Invalid date', unavailable: 'Date unavailable' });

const DAY = { month: 'short', day: 'numeric', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const DAY_AND_TIME = { ...DAY, ...TIME } as const;

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(value: string | number, options: Intl.DateTimeFormatOptions): string | undefined {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return undefined;
  const key = `${locale()} ${Object.keys(options).join()}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  formatters.set(key, formatter);
  return formatter.format(date);
}

/** "Jan 5, 2024" */
export function formatDay(value: string, invalid = MESSAGES.get().invalid): string {
  return format(value, DAY) ?? invalid;
}

/** "Jan 5, 2024, 2:05 PM" */
export function formatDayAndTime(value: string, invalid = MESSAGES.get().unavailable): string {
  return format(value, DAY_AND_TIME) ?? invalid;
}

/** "2:05 PM" */
export function formatTime(value: string | number): string {
  return format(value, TIME) ?? '';
}
