import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The ports that no system gives to outgoing connections by itself: Linux begins those at 32,768, the others at 49,152.
 * A port from there could be taken by any connection before its server starts.
 */
const FIRST_PORT = 16_384;
const LAST_PORT = 32_767;
const ATTEMPTS = 100;

/** A port on loopback that was free a moment ago, chosen at random. Throws if a hundred ports were taken. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port among ${ATTEMPTS} between ${FIRST_PORT} and ${LAST_PORT}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
