import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError, unavailable } from '@vuka/service-kit/app-error';
import { endEventStream } from '#live/event-stream.ts';

const MAX_STREAMS_OF_KEY = 5;
const MAX_STREAMS = 100;

/** One reader of the feed. */
export interface FeedStream {
  readonly isOver: boolean;
  /** Sends a text, and waits while its reader is slower than we are: nothing piles up here. */
  write(text: string): Promise<void>;
  /** As `write`, for what may be left out where its reader is slow. */
  writeIfRead(text: string): void;
  /** Waits until something was told since it last waited, or so long. */
  news(waitMs: number): Promise<void>;
  /** Ends it, and the answer where that has begun. */
  end(): void;
}

/** The streams of the feed that are open in this process. */
export interface FeedStreams {
  /** Takes a place, until the answer is closed. Throws rate_limited where there is none left, unavailable at the end. */
  open(keyId: string, answer: ServerResponse): FeedStream;
  /** Says that there are new transfer events. */
  wake(): void;
  /** Ends them, and opens no more: an idle connection may still ask while the process stops. */
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
        throw new AppError('rate_limited', 'Too many streams are open at once.', { retryAfterSeconds: 30 });
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
