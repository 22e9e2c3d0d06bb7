import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

const COMMIT_TAG = Buffer.from('COMMIT\0');

/** Stands between a client and Postgres and, while armed, breaks the connection instead of passing a COMMIT's answer on. */
export async function createCommitAnswerProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let isArmed = false;
  let dropped = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) });
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      if (isArmed && chunk.includes(COMMIT_TAG)) {
        dropped += 1;
        isArmed = false;
        client.destroy();
        upstream.destroy();
      } else client.write(chunk);
    });
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    /** The next commit's answer is lost. */
    arm() {
      isArmed = true;
    },
    dropped: () => dropped,
    close() {
      server.close();
    },
  };
}
