const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const DAY_AND_TIME = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

function format(formatter: Intl.DateTimeFormat, value: string | number, invalid: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? invalid : formatter.format(date);
}

/** "Jan 5, 2024" */
export function formatDay(value: string, invalid = 'Invalid date'): string {
  return format(DAY, value, invalid);
}

/** "Jan 5, 2024, 2:05 PM" */
export function formatDayAndTime(value: string, invalid = 'Date unavailable'): string {
  return format(DAY_AND_TIME, value, invalid);
}

/** "2:05 PM" */
export function formatTime(value: string | number): string {
  return format(TIME, value, '');
}
