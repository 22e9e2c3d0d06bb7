/**
 * The address block that one person's addresses come from: an IPv4 address, or the first 64 bits of an IPv6 address, which
 * providers hand out whole (RFC 6177).
 */
export function addressBlockOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address || 'unknown';
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0))).fill('0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':');
}
