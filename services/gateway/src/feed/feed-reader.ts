import { TransferEvents } from '@vuka/contracts/internal/transfer-events';
import { AppError } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';

type From = { after: string } | { from: 'oldest' | 'now' };

/** Reads pages of transfers' log. Streams at the same position, which is the usual case, share a read. */
export interface FeedReader {
  /** Throws validation_failed for a position that is not in the log, and any other failure to read. */
  read(from: From): Promise<TransferEvents>;
  /** Reads that began before this may miss new events: later callers do not join them. */
  forget(): void;
}

export function createFeedReader({ transfers, logger }: { transfers: ServiceClient; logger: Logger }): FeedReader {
  const reads = new Map<string, Promise<TransferEvents>>();
  let isFailing = false;

  async function readPage(path: string): Promise<TransferEvents> {
    try {
      const page = await transfers.get(path, TransferEvents);
      isFailing = false;
      return page;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.code === 'validation_failed';
      if (!(isRefusal || isFailing)) logger.warn({ err: error }, 'the feed cannot read transfer events');
      isFailing ||= !isRefusal;
      throw error;
    }
  }

  return {
    read(from) {
      const path = `/internal/transfer-events?${new URLSearchParams(from)}`;
      const underWay = reads.get(path);
      if (underWay) return underWay;
      const reading = readPage(path).finally(() => {
        if (reads.get(path) === reading) reads.delete(path);
      });
      reads.set(path, reading);
      return reading;
    },
    forget: () => reads.clear(),
  };
}
