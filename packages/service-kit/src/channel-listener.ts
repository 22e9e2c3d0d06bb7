import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface ChannelListenerOptions {
  url: string;
  /** The name of the connection in Postgres. */
  applicationName: string;
  channel: string;
  /** How long a connection, and a statement on it, may take, ms. */
  timeoutMs: number;
  /** Called on each new connection before it listens. A failure counts as a loss. */
  beforeListening?(): Promise<void>;
  /** Called once it listens: announcements since the last loss were missed. A failure counts as a loss. */
  onListening(): void | Promise<void>;
  onNotice(payload: string): void;
  /**
   * Called with each loss and the number of consecutive losses before it. Returns the pause before the next attempt,
   * ms.
   */
  onLost(error: unknown, losses: number): number;
}

export interface ChannelListener {
  isListening(): boolean;
  /** Resolves when the connection is closed, after a second at the latest. */
  close(): Promise<void>;
}

/** A connection that is lost silently, for example because a router forgot it, is noticed within this time, ms. */
const HEARTBEAT_MS = 5_000;
const LONGEST_END_MS = 1_000;

/** Listens to a channel of Postgres (`NOTIFY`) on a connection of its own, and connects again whenever that is lost. */
export function listenToChannel(options: ChannelListenerOptions): ChannelListener {
  const { url, applicationName, channel, timeoutMs } = options;
  const stopping = new AbortController();
  let isListening = false;
  let losses = 0;

  async function runSession(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    const closed = lossOf(client);
    try {
      await client.connect();
      await options.beforeListening?.();
      client.on('notification', ({ payload = '' }) => options.onNotice(payload));
      await client.query(`listen ${channel}`);
      await options.onListening();
      losses = 0;
      isListening = true;
      throw await Promise.race([closed, failsToAnswer(client, stopping.signal)]);
    } finally {
      isListening = false;
      await Promise.race([client.end().catch(() => undefined), delay(LONGEST_END_MS, undefined, { ref: false })]);
    }
  }

  async function waitAfter(error: unknown): Promise<void> {
    if (stopping.signal.aborted) return;
    const pauseMs = options.onLost(error, losses);
    losses += 1;
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) await runSession().catch(waitAfter);
  }
  const running = run();

  return {
    isListening: () => isListening,
    async close() {
      stopping.abort();
      await running;
    },
  };
}

function lossOf(client: pg.Client): Promise<Error> {
  return new Promise((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('the connection was closed')));
  });
}

async function failsToAnswer(client: pg.Client, signal: AbortSignal): Promise<Error> {
  while (!signal.aborted) {
    await delay(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) break;
    try {
      await client.query('select 1');
    } catch (error) {
      return error as Error;
    }
  }
  return new Error('stopped');
}
