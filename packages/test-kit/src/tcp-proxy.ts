import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy on loopback that fails as networks do. */
export interface TcpProxy {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Keeps connections open but passes nothing on, in either direction. */
  pause(): void;
  /** Passes requests on; answers are lost. */
  dropAnswers(): void;
  /** Passes everything on again, including what `pause` held back. */
  restore(): void;
  connectionCount(): number;
  close(): Promise<void>;
}

type Mode = 'open' | 'cut' | 'paused' | 'answers dropped';

/** Starts a proxy to `target`. */
export async function createTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ client: Socket; upstream: Socket }>();
  let mode: Mode = 'open';

  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    const pair = { client, upstream };
    pairs.add(pair);
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => mode !== 'answers dropped' && client.write(chunk));
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', end).on('close', end);
      if (mode === 'paused') socket.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function enter(next: Mode): void {
    mode = next;
    for (const { client, upstream } of pairs) {
      for (const socket of [client, upstream]) {
        if (next === 'cut') socket.destroy();
        else if (next === 'paused') socket.pause();
        else socket.resume();
      }
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut: () => enter('cut'),
    pause: () => enter('paused'),
    dropAnswers: () => enter('answers dropped'),
    restore: () => enter('open'),
    connectionCount: () => pairs.size,
    async close() {
      enter('cut');
      server.close();
      await once(server, 'close');
    },
  };
}
