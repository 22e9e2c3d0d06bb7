import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface OwnerLock {
  release(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 1000;
/** Longer than the time between two concurrent starts that both saw no owner. */
const SETTLE_MS = 50;

/**
 * Locks a data directory for this process, so that a second start does not stop the first one's server. The owner
 * answers on a loopback port; a killed owner does not, even if its process id was reused. Throws if the directory is
 * locked.
 */
export async function acquireOwnerLock(dir: string): Promise<OwnerLock> {
  const file = join(dir, 'owner.json');
  await refuseTaken(dir, file);
  const token = randomBytes(16).toString('hex');
  const server = createServer((socket) => socket.on('error', () => undefined).end(token));
  const port = await listen(server);
  await writeFile(file, JSON.stringify({ pid: process.pid, port, token }), { mode: 0o600 });
  // Of two concurrent starts, the file names the last one.
  await delay(SETTLE_MS);
  if ((await readFile(file, 'utf8').catch(() => '')).includes(token)) return ownerLock(file, server);
  server.close();
  await refuseTaken(dir, file);
  throw new Error(`${dir} is in use by another process`);
}

function ownerLock(file: string, server: Server): OwnerLock {
  return {
    async release() {
      await rm(file, { force: true });
      server.close();
    },
  };
}

async function refuseTaken(dir: string, file: string): Promise<void> {
  const holder = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  if (holder && (await answers(holder))) throw new Error(`${dir} is in use by process ${holder.pid}`);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.unref();
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function answers(holder: { port: number; token: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port: holder.port, host: '127.0.0.1' });
    let answer = '';
    const finish = () => {
      socket.destroy();
      resolve(answer === holder.token);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, finish);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', finish).on('end', finish);
  });
}
