import { AppError } from '@vuka/service-kit/app-error';
import * as z from 'zod/mini';

/** An id in an address, in any form: an impossible id is a 404, not a 400. */
export const AnyId = z.object({ id: z.string().check(z.maxLength(100)) });

/** Returns a well-formed id, for use in an internal address; otherwise throws not_found with this message. */
export function knownForm(id: string, notFound: string): string {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found', notFound);
  return id;
}
