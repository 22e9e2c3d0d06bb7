import { AppError } from '@vuka/service-kit/app-error';
import * as z from 'zod/mini';

/** The id in an address, whatever it looks like: one that cannot be an id is a 404, not a 400. */
export const AnyId = z.object({ id: z.string().check(z.maxLength(100)) });

/** An id that cannot be one is not found either, and never part of an inner address. Throws not_found in these words. */
export function knownForm(id: string, notFound: string): string {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found', notFound);
  return id;
}
