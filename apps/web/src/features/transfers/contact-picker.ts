interface ContactsManager {
  select(properties: ['tel'], options: { multiple: false }): Promise<{ tel?: string[] }[]>;
}

function contactsOf(source: Navigator): ContactsManager | undefined {
  return (source as { contacts?: ContactsManager }).contacts;
}

/** Whether this browser lets the user pick a contact; Chrome on Android does. */
export function canPickContact(): boolean {
  return typeof contactsOf(navigator)?.select === 'function';
}

/** The number of the contact that the user picks; undefined if none was picked or it has no number. */
export async function pickContactPhone(): Promise<string | undefined> {
  const picked = await contactsOf(navigator)
    ?.select(['tel'], { multiple: false })
    .catch(() => []);
  return picked?.[0]?.tel?.[0];
}
