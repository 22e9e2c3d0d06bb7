import { SECRET_FIELDS } from '@vuka/contracts/secret-fields';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Fields that must never be written, at any depth that our records have. */
const NEVER_LOGGED = [...SECRET_FIELDS, 'password', 'authorization', 'cookie', 'token', 'secret'];

/** A structured logger (one JSON line per record) that omits secrets. */
export function createLogger(options: { service: string; level: string }): Logger {
  return pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: NEVER_LOGGED.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `req.headers["${field}"]`]),
      censor: '[secret]',
    },
  });
}
