import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import type { Logger } from 'pino';
import { TopologyMismatchError } from '#messaging/message-bus.ts';

export interface AmqpLinkOptions {
  url: string;
  /** Shown in the broker's list of connections. */
  name: string;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /**
   * Prepares a new channel; a throw closes it, and a new attempt follows. The signal aborts when the channel is lost.
   */
  setup(channel: ConfirmChannel, signal: AbortSignal): Promise<void>;
}

/** One connection with one channel, reopened whenever either is lost. */
export interface AmqpLink {
  /** Settles after the first attempt; rejects only if the broker's topology does not match ours. */
  firstAttempt: Promise<void>;
  /** The channel, while it is open and prepared. */
  channel(): ConfirmChannel | undefined;
  isBlocked(): boolean;
  /**
   * Opens another channel on the connection, for work that may close its channel with an error. Throws while not
   * connected.
   */
  openChannel(): Promise<ConfirmChannel>;
  close(): Promise<void>;
}

interface Session {
  model: ChannelModel;
  channel: ConfirmChannel;
  closed: Promise<Error>;
}

const CONNECT_TIMEOUT_MS = 5000;
const CLOSE_TIMEOUT_MS = 2000;
const FIRST_BACKOFF_MS = 100;
/**
 * Short: every process finds a recovered broker within a second, and a refused connection costs the broker little.
 */
const LONGEST_BACKOFF_MS = 1000;
const HEARTBEAT_SECONDS = '10';

/**
 * Starts to connect at once. amqplib's own recovery leaves a dead channel dead, so connection and channel are one
 * here.
 */
export function createAmqpLink(options: AmqpLinkOptions): AmqpLink {
  const { name, logger } = options;
  const stopping = new AbortController();
  let session: Session | undefined;
  let isBlocked = false;
  let failures = 0;
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);

  async function runSession(): Promise<void> {
    const gone = new AbortController();
    const opened = await openSession(options, gone);
    const closeNow = () => void closeSession(opened);
    stopping.signal.addEventListener('abort', closeNow, { once: true });
    try {
      opened.model.on('blocked', () => {
        isBlocked = true;
      });
      opened.model.on('unblocked', () => {
        isBlocked = false;
      });
      const lost = opened.closed.then((cause) => Promise.reject(cause));
      await Promise.race([options.setup(opened.channel, gone.signal), lost]);
      session = opened;
      if (failures > 0) logger.info({ link: name }, 'connected to the broker again');
      failures = 0;
      first.resolve();
      if (stopping.signal.aborted) closeNow();
      throw await opened.closed;
    } finally {
      stopping.signal.removeEventListener('abort', closeNow);
      gone.abort();
      session = undefined;
      isBlocked = false;
      await closeSession(opened);
    }
  }

  async function waitAfter(error: unknown): Promise<void> {
    if (stopping.signal.aborted) return;
    if (failures === 0) logger.warn({ err: error, link: name }, 'lost the broker, trying again');
    if (error instanceof TopologyMismatchError) first.reject(error);
    first.resolve();
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10), LONGEST_BACKOFF_MS);
    failures += 1;
    await delay(backoffMs * (0.5 + Math.random() / 2), undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) await runSession().catch(waitAfter);
    first.resolve();
  }
  const running = run();

  return {
    firstAttempt: first.promise,
    channel: () => session?.channel,
    isBlocked: () => isBlocked,
    async openChannel() {
      if (!session) throw new Error('not connected to the broker');
      const channel = await session.model.createConfirmChannel();
      channel.on('error', () => undefined);
      return channel;
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

async function openSession({ url, name }: AmqpLinkOptions, gone: AbortController): Promise<Session> {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', HEARTBEAT_SECONDS);
  const ca = await readAuthority(address);
  const model = await connect(address.toString(), {
    ...(ca ? { ca } : {}),
    noDelay: true,
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: name },
  });
  gatherWrites(streamOf(model));
  let cause: Error | undefined;
  const remember = (error: Error) => {
    cause ??= error;
  };
  model.on('error', remember);
  const closed = new Promise<Error>((resolve) => {
    model.on('close', (error) => {
      gone.abort();
      resolve(cause ?? error ?? new Error('the connection was closed'));
    });
  });
  const channel = await Promise.race([model.createConfirmChannel(), closed.then((error) => Promise.reject(error))]);
  channel.on('error', remember);
  channel.on('handler-error', remember);
  channel.on('close', () => {
    gone.abort();
    void closeSession({ model, channel });
  });
  return { model, channel, closed };
}

/**
 * Closes cleanly, but with a timeout: over a dead network the answer never comes. First the channel: amqplib can send
 * the close of the connection before the acknowledgements that the channel still has to send.
 */
async function closeSession({ model, channel }: Omit<Session, 'closed'>): Promise<void> {
  const closing = closeBoth(channel, model).catch(() => undefined);
  const inTime = await Promise.race([closing.then(() => true), delay(CLOSE_TIMEOUT_MS, false, { ref: false })]);
  if (!inTime) streamOf(model).destroy(new Error('no answer to close'));
}

async function closeBoth(channel: ConfirmChannel, model: ChannelModel): Promise<void> {
  // Throws at once if it is closed already.
  await Promise.resolve()
    .then(() => channel.close())
    .catch(() => undefined);
  await model.close();
}

/**
 * The certificate authority that an `amqps:` address names, as in RabbitMQ's URI query parameters. Without it, the
 * authorities that Node trusts count. The broker's name is checked in either case.
 */
export async function readAuthority({ searchParams }: URL): Promise<Buffer | undefined> {
  const file = searchParams.get('cacertfile');
  return file ? readFile(file) : undefined;
}

const streamOf = (model: ChannelModel) => (model.connection as unknown as { stream: Socket }).stream;

/** amqplib writes every frame separately. Gathered writes leave in one system call and one packet. */
function gatherWrites(stream: Socket): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  const gathered = (...args: unknown[]) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    return write(...args);
  };
  stream.write = gathered as Socket['write'];
}
