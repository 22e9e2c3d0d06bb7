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

interface Place {
  /**
   * Sends the missed events, then the events that waited and are not among the missed; from then on each event as it
   * comes.
   */
  open(stream: Pick<LiveStream, 'send' | 'end'>, missed: LiveEvent[]): void;
  remove(): void;
}

/** The streams open in this process, by user. */
export interface LiveHub {
  /**
   * Takes a place among a user's streams; events wait in it until it is opened. Call it before reading the missed
   * events, so that no event is lost in between.
   */
  reserve(userId: string): Place;
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

  function add(stream: LiveStream): () => void {
    const own = streams.get(stream.userId) ?? new Set();
    streams.set(stream.userId, own.add(stream));
    size += 1;
    return () => {
      if (!own.delete(stream)) return;
      size -= 1;
      if (own.size === 0) streams.delete(stream.userId);
    };
  }

  return {
    reserve(userId) {
      const waiting: LiveEvent[] = [];
      const stream: LiveStream = { userId, send: (event) => void waiting.push(event), end: () => undefined };
      return {
        open(opened, missed) {
          Object.assign(stream, opened);
          const sent = new Set(missed.map(({ id }) => id));
          const unsent = waiting.filter(({ id }) => id === undefined || !sent.has(id));
          for (const event of [...missed, ...unsent]) opened.send(event);
        },
        remove: add(stream),
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
