import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports are chosen below the range that systems assign to outgoing connections: from 32,768 on Linux, from 49,152 on
 * others. Any connection could take a port from there before its server starts.
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
