import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks of this machine and its neighbours, among them a cloud's metadata (IANA's special-purpose registries). */
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

/** Whether an IP address, also an IPv4 one in IPv6, lies inside: not on the internet. */
export function isInner(address: string): boolean {
  return INNER.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Resolves a name only to addresses on the internet, for addresses that another party names. It decides about the
 * address that is connected to, so a name that changes its address between a check and its use gains nothing. An IP
 * address is not resolved: check it with `isInner`.
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
