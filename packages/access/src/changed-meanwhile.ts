import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@vuka/service-kit/app-error';

interface Replacement<Values> {
  inForce: Values;
  /** What the administrator was shown; undefined for a client that does not say. */
  replaces: Values | undefined;
  wanted: Values;
}

/**
 * Refuses to overwrite a value that another administrator has changed since it was shown, unless it equals the
 * wanted one: then this is a repeat, whose first answer was lost. Throws changed_meanwhile.
 */
export function mustReplace<Values>({ inForce, replaces, wanted }: Replacement<Values>): void {
  if (replaces === undefined || isDeepStrictEqual(replaces, inForce) || isDeepStrictEqual(wanted, inForce)) return;
  throw new AppError('changed_meanwhile');
}
