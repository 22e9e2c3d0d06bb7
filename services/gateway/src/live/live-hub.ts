export interface LiveEvent {
  /** The id from which a stream resumes; undefined for events that are not stored. */
  id?: string;
  name: string;
  data: unknown;
}

interface LiveStream {
  userId: string;
  send(event: LiveEvent): void;
  end(): void;
}

/** The streams open in this process, by user. */
export interface LiveHub {
  add(stream: LiveStream): () => void;
  publish(userId: string, event: LiveEvent): void;
  openStreamsOf(userId: string): number;
  has(userId: string): boolean;
  readonly size: number;
  /** Ends every stream; browsers reconnect to another replica and resume. */
  endAll(): void;
}

export function createLiveHub(): LiveHub {
  const streams = new Map<string, Set<LiveStream>>();
  let size = 0;
  return {
    add(stream) {
      const own = streams.get(stream.userId) ?? new Set();
      streams.set(stream.userId, own.add(stream));
      size += 1;
      return () => {
        if (!own.delete(stream)) return;
        size -= 1;
        if (own.size === 0) streams.delete(stream.userId);
      };
    },
    publish(userId, event) {
      for (const stream of streams.get(userId) ?? []) stream.send(event);
    },
    openStreamsOf: (userId) => streams.get(userId)?.size ?? 0,
    has: (userId) => streams.has(userId),
    endAll() {
      for (const own of streams.values()) for (const stream of own) stream.end();
    },
    get size() {
      return size;
    },
  };
}
