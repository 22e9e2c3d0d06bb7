import { Writable } from 'node:stream';
import { pino } from 'pino';

export const BEGINS = 'the database is unavailable: messages are held';
export const ENDS = 'the database is available: held messages are handled';

/** A logger that adds each message to `lines`. */
export function loggerTo(lines: () => string[]) {
  const written = new Writable({
    write(line, _encoding, next) {
      lines().push(JSON.parse(String(line)).msg);
      next();
    },
  });
  return pino({ level: 'info' }, written);
}
