import type { HttpApp } from './http-app.ts';
import { notText } from './http-errors.ts';

/** Half of a surrogate pair reaches us in this spelling alone: UTF-8 has none for it. */
const ESCAPED_SURROGATE = /\\ud[89a-f]/i;

/**
 * Has an app read JSON alone, and as Fastify does, with two differences: an empty body is no body, whatever the header
 * says, since many clients name JSON in every request; and half a surrogate pair, which JSON can write and Postgres
 * cannot keep, is refused.
 */
export function readJsonBodies(app: HttpApp): void {
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (text === '') return done(null, undefined);
    return parse(request, text, (error, body) => {
      if (error || !ESCAPED_SURROGATE.test(text) || isText(body)) return done(error, body);
      done(notText());
    });
  });
}

/** With a list of its own, not by recursion: a body may be as deep as it is long. */
function isText(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) left.push(name, inner);
  }
  return true;
}
