import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks of this machine, its neighbours and a cloud's metadata service (IANA's special-purpose registries). */
const INNER = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INNER.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  INNER.addSubnet(network, bits, 'ipv6');
}

/** Whether an IP address, also an IPv4 address in IPv6 form, is not on the internet. */
export function isInner(address: string): boolean {
  return INNER.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Resolves a host name that another party chose, but only to addresses on the internet. The check applies to the
 * address of the connection itself, so a name whose address changes after a check gains nothing. An IP address is not
 * resolved: check it with `isInner`.
 */
export const resolveOuter: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    const outer = error ? [] : found.filter(({ address }) => !isInner(address));
    const [first] = outer;
    if (!first) done(error ?? new Error(`${hostname} is an inner address`), '', 0);
    else if (options.all) done(null, outer);
    else done(null, first.address, first.family);
  });
};
