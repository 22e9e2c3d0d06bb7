export interface LiveEvent {
  /** The id from which a stream resumes; undefined for events that are not stored. */
  id?: string;
  name: string;
  data: unknown;
}

interface LiveStream {
  userId: string;
  networks: readonly string[];
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
   * Takes a place among the streams of a user and of the networks that the request comes from; events wait in it until
   * it is opened. Call it before reading the missed events, so that no event is lost in between.
   */
  reserve(userId: string, networks?: readonly string[]): Place;
  publish(userId: string, event: LiveEvent): void;
  openStreamsOf(userId: string): number;
  openStreamsFrom(network: string): number;
  has(userId: string): boolean;
  readonly size: number;
  /** Ends every stream; browsers reconnect to another replica and resume. */
  endAll(): void;
}

export function createLiveHub(): LiveHub {
  const streams = new Map<string, Set<LiveStream>>();
  const perNetwork = new Map<string, number>();
  let size = 0;

  function count({ networks }: LiveStream, change: 1 | -1): void {
    size += change;
    for (const network of networks) {
      const open = (perNetwork.get(network) ?? 0) + change;
      if (open > 0) perNetwork.set(network, open);
      else perNetwork.delete(network);
    }
  }

  function add(stream: LiveStream): () => void {
    const own = streams.get(stream.userId) ?? new Set();
    streams.set(stream.userId, own.add(stream));
    count(stream, 1);
    return () => {
      if (!own.delete(stream)) return;
      count(stream, -1);
      if (own.size === 0) streams.delete(stream.userId);
    };
  }

  return {
    reserve(userId, networks = []) {
      const waiting: LiveEvent[] = [];
      const stream: LiveStream = { userId, networks, send: (event) => void waiting.push(event), end: () => undefined };
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
    openStreamsFrom: (network) => perNetwork.get(network) ?? 0,
    has: (userId) => streams.has(userId),
    endAll() {
      for (const own of streams.values()) for (const stream of own) stream.end();
    },
    get size() {
      return size;
    },
  };
}
