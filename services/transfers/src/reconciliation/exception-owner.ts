import { type Caller, idOfAdmin } from '@vuka/access/caller';
import type { PayoutExceptionRow } from '#db/schema.ts';

type Owned = Pick<PayoutExceptionRow, 'state' | 'owner' | 'owner_id' | 'note'>;

export interface ExceptionOwner {
  name: string;
  /** The name, if a process of release 0.1 recorded the administrator. */
  id: string;
}

/**
 * Who is responsible for an exception; null for a reopened one, recognised by the note of its resolution. Its recorded owner is
 * that of the former decision, and may not know of the new report.
 */
export function ownerOf({ state, owner, owner_id: id, note }: Owned): ExceptionOwner | null {
  const isOpenAgain = state === 'open' && note !== null;
  return owner === null || isOpenAgain ? null : { name: owner, id: id ?? owner };
}

/** Names are compared only where no id was recorded: two administrators may have the same one. */
export function isOwnedBy(exception: Owned, caller: Caller): boolean {
  return ownerOf(exception)?.id === (exception.owner_id === null ? caller.name : idOfAdmin(caller));
}
