import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notText } from './http-errors.ts';

/** JSON can express an unpaired surrogate and U+0000 only in this spelling. */
const ESCAPED_NO_TEXT = /\\u(d[89a-f]|0000)/i;

type Done = (error: Error | null, body?: unknown) => void;
type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>;

/**
 * Fastify's parser for JSON bodies with two differences. An empty body is no body, whatever the content type, since
 * many clients send the header with every request. Unpaired surrogates and U+0000 are refused: Postgres cannot store
 * them, and in a field that only an event contains they would be found when the event cannot be published, long after the
 * action.
 */
export function jsonBodyParser(parse: JsonParser) {
  return (request: FastifyRequest, text: string, done: Done) => {
    if (text === '') return done(null, undefined);
    return parse(request, text, (error, body) => {
      if (error || !ESCAPED_NO_TEXT.test(text) || isText(body)) done(error, body);
      else done(notText());
    });
  };
}

/** Iterates instead of recursing: a body may be nested as deep as it is long. */
function isText(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) left.push(name, inner);
  }
  return true;
}
