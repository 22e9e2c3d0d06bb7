import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { watchPostgres } from './watchdog.ts';

export interface LocalPostgres {
  /** As its superuser. */
  url: string;
  port: number;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** Runs the embedded Postgres, starts it again should it die, and sees that it does not outlive this process. */
export async function runPostgres(dataDir: string, say: (line: string) => void): Promise<LocalPostgres> {
  if (!existsSync(join(dataDir, 'cluster')) && !existsSync(join(dataDir, 'location'))) {
    say('Preparing the database...');
  }
  const settings = { cluster_name: 'vuka', autovacuum_naptime: '30s' };
  let server = await startEmbeddedPostgres({ dataDir, settings });
  let watchdog = await watchPostgres(dataDir);
  let isStopping = false;
  let repair = Promise.resolve();

  async function restart(previous: EmbeddedPostgres) {
    say('Postgres has ended; starting it again');
    watchdog.dismiss();
    await previous.stop().catch(() => undefined);
    server = await startEmbeddedPostgres({ dataDir, settings, port: previous.port });
    watchdog = await watchPostgres(dataDir);
  }

  const timer = setInterval(() => {
    repair = repair.then(async () => {
      if (isStopping || (await isAlive(dataDir))) return;
      await restart(server).catch((error: Error) => say(`Postgres did not start: ${error.message}`));
    });
  }, LOOK_EVERY_MS);

  return {
    url: server.url,
    port: server.port,
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await repair;
      await server.stop();
      watchdog.dismiss();
    },
  };
}

async function isAlive(dataDir: string): Promise<boolean> {
  const base = await readFile(join(dataDir, 'location'), 'utf8').catch(() => dataDir);
  const content = await readFile(join(base, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
