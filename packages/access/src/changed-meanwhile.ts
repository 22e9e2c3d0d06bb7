import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@vuka/service-kit/app-error';

interface Replacement<Values> {
  inForce: Values;
  /** What the administrator was shown; undefined for a client that does not say. */
  replaces: Values | undefined;
  wanted: Values;
}

/**
 * Refuses to overwrite what another administrator has put in force since it was shown, unless that is also what is
 * wanted: then the change was made, and only its answer was lost. Throws changed_meanwhile.
 */
export function mustReplace<Values>({ inForce, replaces, wanted }: Replacement<Values>): void {
  if (replaces === undefined || isDeepStrictEqual(replaces, inForce) || isDeepStrictEqual(wanted, inForce)) return;
  throw new AppError('changed_meanwhile');
}
