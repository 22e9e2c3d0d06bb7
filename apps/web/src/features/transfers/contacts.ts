interface ContactsManager {
  select(properties: ['tel'], options: { multiple: false }): Promise<{ tel?: string[] }[]>;
}

/** The phone's contacts, where the browser lets the user pick one; Chrome on Android does. */
export const contactsOf = (source: Navigator) => (source as { contacts?: ContactsManager }).contacts;

export function canPickContact(): boolean {
  return typeof contactsOf(navigator)?.select === 'function';
}
