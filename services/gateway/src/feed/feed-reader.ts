import { TransferEvents } from '@vuka/contracts/internal/transfer-events';
import type { ServiceClient } from '@vuka/service-kit/service-client';

type From = { after: string } | { from: 'oldest' | 'now' };

/** Reads pages of transfers' log. Streams that stand at the same place, as most do, read it together. */
export interface FeedReader {
  read(from: From): Promise<TransferEvents>;
  /** Reads that were begun before this may not see what is new: later ones do not join them. */
  forget(): void;
}

export function createFeedReader(transfers: ServiceClient): FeedReader {
  const reads = new Map<string, Promise<TransferEvents>>();
  return {
    read(from) {
      const path = `/internal/transfer-events?${new URLSearchParams(from)}`;
      const underWay = reads.get(path);
      if (underWay) return underWay;
      const reading = transfers.get(path, TransferEvents).finally(() => {
        if (reads.get(path) === reading) reads.delete(path);
      });
      reads.set(path, reading);
      return reading;
    },
    forget: () => reads.clear(),
  };
}
