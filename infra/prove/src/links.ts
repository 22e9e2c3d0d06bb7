import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';

/** One proxy for each pair of a service and a neighbour that it calls. */
export interface Links {
  /** The port by which the caller reaches what listens on `port`. */
  open(caller: string, callee: string, port: number): Promise<number>;
  /** Throws if the caller never calls the callee. */
  between(caller: string, callee: string): Promise<TcpProxy>;
  close(): Promise<void>;
}

export function createLinks(): Links {
  const proxies = new Map<string, Promise<TcpProxy>>();
  return {
    async open(caller, callee, port) {
      const way = `${caller} to ${callee}`;
      const proxy = proxies.get(way) ?? createTcpProxy({ host: '127.0.0.1', port });
      proxies.set(way, proxy);
      return (await proxy).port;
    },
    async between(caller, callee) {
      const proxy = await proxies.get(`${caller} to ${callee}`);
      if (!proxy) throw new RangeError(`${caller} does not call ${callee}`);
      return proxy;
    },
    async close() {
      for (const proxy of proxies.values()) await (await proxy).close();
    },
  };
}
