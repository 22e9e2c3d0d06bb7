import { type Contact, ContactResults, MOST_CONTACTS } from '@vuka/contracts/internal/identity';
import type { ServiceClient } from '@vuka/service-kit/service-client';

/** What identity knows of these users, by their ids. Users that no longer exist are left out; without ids it asks nothing. */
export async function findContacts(
  identity: Pick<ServiceClient, 'post'>,
  ids: readonly string[],
): Promise<Map<string, Contact>> {
  const userIds = [...new Set(ids)];
  const contacts = new Map<string, Contact>();
  // A payment from one merchant to another notifies both: a batch may have more users than events.
  for (let from = 0; from < userIds.length; from += MOST_CONTACTS) {
    const asked = userIds.slice(from, from + MOST_CONTACTS);
    const items = asked.map((userId) => ({ userId }));
    const { results } = await identity.post('/internal/contacts-batch', { items }, ContactResults);
    asked.forEach((userId, index) => {
      const contact = results[index];
      if (contact) contacts.set(userId, contact);
    });
  }
  return contacts;
}
