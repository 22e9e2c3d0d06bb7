import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy on loopback that fails as networks do. */
export interface TcpProxy {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Keeps connections open but passes nothing on, in either direction. */
  pause(): void;
  /** Passes requests on; answers are lost. */
  dropAnswers(): void;
  /** Requests are lost; answers to earlier ones arrive. */
  dropRequests(): void;
  /** Passes everything on, this much later in each direction, ms. */
  slow(byMs: number): void;
  /**
   * Every POST that begins from now on arrives twice; nobody hears the second answer. The second request arrives together with
   * the first, or this long after the first was answered, ms. Callers must not send a request before the last one is answered.
   */
  repeatPosts(afterMs?: number): void;
  /** Passes everything on again, including what `pause` held back. */
  restore(): void;
  connectionCount(): number;
  close(): Promise<void>;
}

interface Mode {
  name: 'open' | 'cut' | 'paused' | 'answers dropped' | 'requests dropped' | 'slow' | 'posts repeated';
  ms: number;
}

const OPEN: Mode = { name: 'open', ms: 0 };

/** Starts a proxy to `target`. */
export async function createTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ client: Socket; upstream: Socket }>();
  let mode = OPEN;
  const slowness = () => (mode.name === 'slow' ? mode.ms : 0);

  const server = createServer((client) => {
    if (mode.name === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    const pair = { client, upstream };
    pairs.add(pair);
    const toUpstream = inOrder(slowness);
    const toClient = inOrder(slowness);
    const repeater = repeatRequests(target, () => (mode.name === 'posts repeated' ? mode.ms : undefined));
    client.on('data', (chunk) => {
      repeater.asked(chunk);
      if (mode.name !== 'requests dropped') toUpstream(() => upstream.write(chunk));
    });
    upstream.on('data', (chunk) => {
      repeater.answered();
      if (mode.name !== 'answers dropped') toClient(() => client.write(chunk));
    });
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined); // it closes too
      if (mode.name === 'paused') socket.pause();
    }
    client.on('close', end);
    // After what is still on its way to the client.
    upstream.on('close', () => toClient(end));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function enter(name: Mode['name'], ms = 0): void {
    mode = { name, ms };
    for (const { client, upstream } of pairs) {
      for (const socket of [client, upstream]) {
        if (name === 'cut') socket.destroy();
        else if (name === 'paused') socket.pause();
        else socket.resume();
      }
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut: () => enter('cut'),
    pause: () => enter('paused'),
    dropAnswers: () => enter('answers dropped'),
    dropRequests: () => enter('requests dropped'),
    slow: (byMs) => enter('slow', byMs),
    repeatPosts: (afterMs = 0) => enter('posts repeated', afterMs),
    restore: () => enter('open'),
    connectionCount: () => pairs.size,
    async close() {
      enter('cut');
      server.close();
      await once(server, 'close');
    },
  };
}

/** Does things one after the other, each as much later as the direction is slow. */
function inOrder(slowness: () => number): (act: () => unknown) => void {
  let waiting = 0;
  let last = Promise.resolve();
  return (act) => {
    const ms = slowness();
    if (ms === 0 && waiting === 0) {
      act();
      return;
    }
    waiting += 1;
    const dueMs = performance.now() + ms;
    last = last
      .then(() => delay(Math.max(0, dueMs - performance.now())))
      .then(() => {
        waiting -= 1;
        act();
      });
  };
}

const POST = Buffer.from('POST ');
const FORGOTTEN_MS = 10_000;

/** Sends the POSTs of one connection again, on connections of their own. `afterMs` is undefined if none is repeated. */
function repeatRequests(target: { host: string; port: number }, afterMs: () => number | undefined) {
  let isBetween = true;
  /** Of the request in progress, which is sent again once it is answered. */
  let chunks: Buffer[] | undefined;
  let twin: Socket | undefined;

  function open(): Socket {
    const socket = connect(target);
    socket.on('error', () => undefined);
    socket.on('data', () => socket.destroy());
    socket.setTimeout(FORGOTTEN_MS, () => socket.destroy());
    return socket;
  }
  return {
    asked(chunk: Buffer): void {
      const ms = afterMs();
      if (isBetween) {
        const isRepeated = ms !== undefined && chunk.subarray(0, POST.length).equals(POST);
        twin = isRepeated && ms === 0 ? open() : undefined;
        chunks = isRepeated && ms > 0 ? [] : undefined;
      }
      isBetween = false;
      twin?.write(chunk);
      chunks?.push(chunk);
    },
    answered(): void {
      const request = chunks;
      isBetween = true;
      chunks = undefined;
      if (request) setTimeout(() => open().write(Buffer.concat(request)), afterMs() ?? 0);
    },
  };
}
