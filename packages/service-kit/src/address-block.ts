/**
 * The address block that one person's addresses come from: an IPv4 address, or the first 56 bits of an IPv6 address.
 * Providers give a home or a shop that much (RFC 6177, section 2), so with 64 bits it would count as 256 networks.
 */
export function addressBlockOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address || 'unknown';
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0))).fill('0');
  const [one, two, three, four = '0'] = [...(first ?? []), ...zeros, ...(last ?? [])];
  const upperByte = Number.parseInt(four, 16) & 0xff00;
  return [one, two, three, upperByte.toString(16)].join(':');
}

/** How many times as much as one of its blocks a site may do: far less than all its blocks together. */
const BLOCKS_OF_SITE = 4;

/**
 * The site of an address block: the first 48 bits of an IPv6 block, undefined for others. A company gets that much, and so
 * does anybody from a tunnel broker, for free: 256 blocks, which would count as 256 networks.
 */
export function siteOf(block: string): string | undefined {
  return block.includes(':') && !block.includes('.') ? `${block.split(':').slice(0, 3).join(':')}::` : undefined;
}

/** A network, and how many times a block's limit it has. */
export interface Network {
  network: string;
  times: number;
}

/** The networks that a request from an address block counts for, each with how many times a block's limit it has. */
export function networksOf(block: string): Network[] {
  const site = siteOf(block);
  return [{ network: block, times: 1 }, ...(site ? [{ network: site, times: BLOCKS_OF_SITE }] : [])];
}
