import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

const COMMIT_TAG = Buffer.from('COMMIT\0');
/** The simple query "commit" as sent on the wire. */
const COMMIT_QUERY = Buffer.from('Q\0\0\0\x0bcommit\0');

/**
 * When the connection breaks. `before`: nothing sent with the commit arrives. `during`: the writes arrive, the commit
 * does not. `after`: the commit succeeds and its answer is lost.
 */
export type Moment = 'before' | 'during' | 'after';

/** A proxy between a client and Postgres that, while armed, breaks the connection around the next commit. */
export async function createCommitAnswerProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let armed: Moment | undefined;
  let dropped = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) });
    const breakNow = () => {
      dropped += 1;
      armed = undefined;
      client.destroy();
      upstream.destroySoon();
    };
    client.on('data', (chunk) => {
      const commitAt = armed === 'before' || armed === 'during' ? chunk.indexOf(COMMIT_QUERY) : -1;
      if (commitAt < 0) {
        upstream.write(chunk);
        return;
      }
      if (armed === 'during') upstream.write(chunk.subarray(0, commitAt));
      breakNow();
    });
    upstream.on('data', (chunk) => {
      if (armed === 'after' && chunk.includes(COMMIT_TAG)) breakNow();
      else client.write(chunk);
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
    /** Breaks the connection around the next commit. */
    arm(moment: Moment = 'after') {
      armed = moment;
    },
    /** Cancels `arm`. */
    disarm() {
      armed = undefined;
    },
    dropped: () => dropped,
    close() {
      server.close();
    },
  };
}
