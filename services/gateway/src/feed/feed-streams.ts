import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { endEventStream } from '#live/event-stream.ts';

const MAX_STREAMS_OF_KEY = 5;
const MAX_STREAMS = 100;

/** One reader of the feed. */
export interface FeedStream {
  readonly isOver: boolean;
  /** Sends a text, and waits for a slow reader, so that nothing accumulates in memory. */
  write(text: string): Promise<void>;
  /** Like `write`, for text that may be dropped if the reader is slow. */
  writeIfRead(text: string): void;
  /** Waits at most this long for a wake-up; returns at once if there was one since the last wait. */
  news(waitMs: number): Promise<void>;
  /** Ends the stream, and the answer if it has begun. */
  end(): void;
}

/** The feed streams open in this process. */
export interface FeedStreams {
  /** Takes a slot until the answer is closed. Throws rate_limited if none is left, unavailable while stopping. */
  open(keyId: string, answer: ServerResponse): FeedStream;
  /** Reports new transfer events. */
  wake(): void;
  /** Ends all streams and opens no more: an idle connection may still send a request while the process stops. */
  endAll(): void;
  readonly size: number;
}

export function createFeedStreams(): FeedStreams {
  const streams = new Map<FeedStream & { wake(): void }, string>();
  let isEnded = false;
  return {
    open(keyId, answer) {
      if (isEnded) throw unavailable('the process stops');
      const ofKey = [...streams.values()].filter((other) => other === keyId);
      if (ofKey.length >= MAX_STREAMS_OF_KEY || streams.size >= MAX_STREAMS) {
        throw new AppError('streams_full', { retryAfterSeconds: 30 });
      }
      const stream = createFeedStream(answer);
      streams.set(stream, keyId);
      answer.on('close', () => {
        streams.delete(stream);
        stream.end();
      });
      return stream;
    },
    wake() {
      for (const stream of streams.keys()) stream.wake();
    },
    endAll() {
      isEnded = true;
      for (const stream of streams.keys()) stream.end();
    },
    get size() {
      return streams.size;
    },
  };
}

function createFeedStream(answer: ServerResponse): FeedStream & { wake(): void } {
  const over = new AbortController();
  let isWoken = false;
  let resume = () => undefined as unknown;
  const wake = () => {
    isWoken = true;
    resume();
  };
  return {
    get isOver() {
      return over.signal.aborted;
    },
    async write(text) {
      if (over.signal.aborted || answer.write(text)) return;
      await once(answer, 'drain', { signal: over.signal }).catch(() => undefined);
    },
    writeIfRead(text) {
      if (!(over.signal.aborted || answer.writableNeedDrain)) answer.write(text);
    },
    async news(waitMs) {
      if (!(isWoken || over.signal.aborted)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, waitMs);
        resume = resolve;
        await promise;
        clearTimeout(timer);
      }
      isWoken = false;
    },
    wake,
    end() {
      if (over.signal.aborted) return;
      over.abort();
      wake();
      if (!answer.headersSent) return;
      endEventStream(answer);
    },
  };
}
