import { formatDay, formatDayAndTime, formatTime } from '#shared/format/date.ts';
import { unbroken } from '#shared/format/unbroken.ts';

/**
 * "Jan 5, 2024, 2:05 PM". A line that is too short breaks between the day and the time; with seconds also in the time,
 * which can be wider than a phone's line.
 */
export function momentText(at: string, hasSeconds = false): string {
  const time = formatTime(at, hasSeconds);
  return time ? `${unbroken(formatDay(at))}, ${hasSeconds ? time : unbroken(time)}` : formatDayAndTime(at);
}

/** A day and a time. */
export function Moment({ at, className = '' }: { at: string; className?: string }) {
  return (
    <time dateTime={at} className={`nums ${className}`}>
      {momentText(at)}
    </time>
  );
}
