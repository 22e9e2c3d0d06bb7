import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@vuka/service-kit/logger';
import { connectWriter, type WriterConnection } from './writer-connection.ts';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

export interface WriterLink {
  current(): WriterConnection | undefined;
  /** Waits for a connection; undefined once the link is closed. */
  connected(): Promise<WriterConnection | undefined>;
  close(): void;
}

/** The writer's connection, reopened whenever it is lost. */
export function createWriterLink(url: string, logger: Logger): WriterLink {
  let connection: WriterConnection | undefined;
  let opening: Promise<void> | undefined;
  const closing = new AbortController();
  const { signal } = closing;

  async function open() {
    for (let waitMs = FIRST_RETRY_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      try {
        const opened = await connectWriter(url, lose);
        if (opened.isLost()) continue;
        if (signal.aborted) return opened.destroy();
        connection = opened;
        return;
      } catch (error) {
        logger.warn({ err: error instanceof Error ? error.message : error }, 'the ledger cannot reach its database');
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  function lose() {
    connection = undefined;
    void reopen();
  }

  function reopen(): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  return {
    current: () => connection,
    async connected() {
      while (!connection && !signal.aborted) await reopen();
      return signal.aborted ? undefined : connection;
    },
    close() {
      closing.abort();
      connection?.destroy();
    },
  };
}
