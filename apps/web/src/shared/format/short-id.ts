/**
 * "0190a5c0…1001", for lists. Ids begin with their time, so that those of one minute begin with the same eight
 * characters: the end tells them apart.
 */
export function shortId(id: string): string {
  return `${id.slice(0, 8)}…${id.slice(-4)}`;
}
