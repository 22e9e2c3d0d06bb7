import type { PlainReason } from '@vuka/contracts/texts/catalogue';
import { AppError } from '@vuka/service-kit/app-error';
import * as z from 'zod/mini';

/** An id in an address, in any form: an impossible id is a 404, not a 400. */
export const AnyId = z.object({ id: z.string().check(z.maxLength(100)) });

/**
 * Returns a well-formed id in lower case, for use in an internal address; otherwise throws this reason. Services take
 * locks by an id's text, so another spelling would be another lock.
 */
export function knownForm(id: string, notFound: PlainReason): string {
  if (!z.uuid().safeParse(id).success) throw new AppError(notFound);
  return id.toLowerCase();
}
