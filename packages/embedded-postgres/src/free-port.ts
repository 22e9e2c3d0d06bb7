import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports are chosen below the range that systems assign to outgoing connections: from 32,768 on Linux, from 49,152 on
 * others. Any connection could take a port from there before its server starts.
 */
const FIRST_PORT = 16_384;
const LAST_PORT = 32_767;
const ATTEMPTS = 100;
/** Ports that this process has handed out: the server of one may be down for a moment, and wants it back. */
const given = new Set<number>();

/**
 * A port on loopback that was free a moment ago, chosen at random, and each only once. Programs that start side by side
 * do not choose the same one if each has a range of its own in `VUKA_PORTS`, as in `20000-20999`. Throws if a hundred
 * ports were taken.
 */
export async function findFreePort(): Promise<number> {
  const [first, last] = portRange(process.env.VUKA_PORTS);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(first, last + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port among ${ATTEMPTS} between ${first} and ${last}`);
}

/** One of `parts` ranges of equal size, for `VUKA_PORTS`; the first is number 1. */
export function sliceOfPorts(number: number, parts: number): string {
  const size = Math.floor((LAST_PORT + 1 - FIRST_PORT) / parts);
  const first = FIRST_PORT + ((number - 1) % parts) * size;
  return `${first}-${first + size - 1}`;
}

function portRange(setting: string | undefined): [number, number] {
  if (!setting) return [FIRST_PORT, LAST_PORT];
  const [first = 0, last = 0] = setting.split('-').map(Number);
  const isRange = /^\d+-\d+$/.test(setting) && first >= 1 && first <= last && last <= 65_535;
  if (!isRange) throw new Error(`VUKA_PORTS must be two ports, as in 20000-20999, not "${setting}"`);
  return [first, last];
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
