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
  /** Passes everything on, but only so many bytes a second in each direction. */
  starve(bytesPerSecond: number): void;
  /**
   * Forgets the present connections, like a router that restarted: what is sent on them is lost, and neither side
   * learns that the other has ended, until `restore` breaks them. New connections work.
   */
  forget(): void;
  /**
   * Every POST that begins from now on arrives twice; the second answer is discarded. The second request arrives
   * together with the first, or this many ms after the first was answered. Callers must not send a request before the
   * last one is answered.
   */
  repeatPosts(afterMs?: number): void;
  /** Passes everything on again, including what `pause` held back. */
  restore(): void;
  connectionCount(): number;
  close(): Promise<void>;
}

interface Mode {
  name: 'open' | 'cut' | 'paused' | 'answers dropped' | 'requests dropped' | 'slow' | 'starved' | 'posts repeated';
  /** The delay in ms; for `starved`, bytes per second. */
  figure: number;
}

const OPEN: Mode = { name: 'open', figure: 0 };

interface Pair {
  client: Socket;
  upstream: Socket;
  isForgotten: boolean;
}

/** Where a proxy leads. */
export interface Target {
  host: string;
  port: number;
}

/** Starts a proxy to `target`; a function is asked for it at each new connection. */
export async function createTcpProxy(target: Target | (() => Target)): Promise<TcpProxy> {
  const targetNow = typeof target === 'function' ? target : () => target;
  const pairs = new Set<Pair>();
  let mode = OPEN;

  const server = createServer((client) => {
    if (mode.name === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(targetNow());
    const pair: Pair = { client, upstream, isForgotten: false };
    pairs.add(pair);
    const toUpstream = inOrder(() => mode, upstream);
    const toClient = inOrder(() => mode, client);
    const repeater = repeatRequests(targetNow, () => (mode.name === 'posts repeated' ? mode.figure : undefined));
    client.on('data', (chunk) => {
      repeater.asked(chunk);
      if (mode.name !== 'requests dropped' && !pair.isForgotten) toUpstream.pass(chunk);
    });
    upstream.on('data', (chunk) => {
      repeater.answered();
      if (mode.name !== 'answers dropped' && !pair.isForgotten) toClient.pass(chunk);
    });
    const end = () => {
      if (pair.isForgotten) return;
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
    upstream.on('close', () => toClient.afterwards(end));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function enter(name: Mode['name'], figure = 0): void {
    mode = { name, figure };
    for (const pair of pairs) {
      const isOver = name === 'cut' || pair.isForgotten;
      if (isOver) pairs.delete(pair);
      for (const socket of [pair.client, pair.upstream]) {
        if (isOver) socket.destroy();
        else flow(socket, name !== 'paused');
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
    starve: (bytesPerSecond) => enter('starved', bytesPerSecond),
    forget() {
      enter('open');
      for (const pair of pairs) pair.isForgotten = true;
    },
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

function flow(socket: Socket, isFlowing: boolean): void {
  if (isFlowing) socket.resume();
  else socket.pause();
}

/** Passes chunks on in order, each with the delay and in the pieces that the mode demands. */
function inOrder(modeNow: () => Mode, to: Socket): { pass(chunk: Buffer): void; afterwards(act: () => void): void } {
  let waiting = 0;
  let last = Promise.resolve();
  const add = (ms: number, act: () => unknown) => {
    waiting += 1;
    const dueMs = performance.now() + ms;
    last = last
      .then(() => delay(Math.max(0, dueMs - performance.now())))
      .then(act)
      .then(() => {
        waiting -= 1;
      });
  };
  return {
    pass(chunk) {
      const { name, figure } = modeNow();
      if (name === 'starved') add(0, () => passInPieces(chunk, to, modeNow));
      else if (name === 'slow' || waiting > 0) add(name === 'slow' ? figure : 0, () => to.write(chunk));
      else to.write(chunk);
    },
    afterwards(act) {
      if (waiting > 0) add(0, act);
      else act();
    },
  };
}

const PIECE_EVERY_MS = 100;

/** A few bytes at a time while the mode starves it, then the rest. */
async function passInPieces(chunk: Buffer, to: Socket, modeNow: () => Mode): Promise<void> {
  let passed = 0;
  while (passed < chunk.length && !to.destroyed) {
    const { name, figure } = modeNow();
    const size = name === 'starved' ? Math.max(1, Math.round((figure * PIECE_EVERY_MS) / 1_000)) : chunk.length;
    to.write(chunk.subarray(passed, passed + size));
    passed += size;
    if (passed < chunk.length) await delay(PIECE_EVERY_MS);
  }
}

const POST = Buffer.from('POST ');
const FORGOTTEN_MS = 10_000;

/** Sends the POSTs of one connection again, on connections of their own. `afterMs` is undefined if none is repeated. */
function repeatRequests(targetNow: () => Target, afterMs: () => number | undefined) {
  let isBetween = true;
  /** The chunks of the request in progress, which is sent again once it is answered. */
  let chunks: Buffer[] | undefined;
  let twin: Socket | undefined;

  function open(): Socket {
    const socket = connect(targetNow());
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
