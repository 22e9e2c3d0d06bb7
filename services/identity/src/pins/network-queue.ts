import { addressBlockOf } from '@vuka/service-kit/address-block';
import type { Serial } from '@vuka/service-kit/serial';

/**
 * Work that locks the counts of a network waits here for its turn, before it takes a connection: otherwise requests of one
 * network would keep every connection waiting.
 */
export function inNetworkQueue<Result>(
  { serial }: { serial: Serial },
  address: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  // No email looks like this.
  return serial(`network ${addressBlockOf(address ?? '')}`, work);
}
