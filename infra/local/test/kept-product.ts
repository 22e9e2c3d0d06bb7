import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { type RunFile, readRunFile } from '#run-file.ts';
import { ROOT } from '#start-settings.ts';

/** The whole product, as `npm start` runs it, on free ports and with its own data directory. */
export interface TestProduct {
  url: string;
  dataDir: string;
  run: RunFile;
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Ends the supervisor with a signal; returns its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

const READY_TIMEOUT_MS = 90_000;
const DEFAULTS = {
  VUKA_RATE_LIMIT_FACTOR: '1000',
  SIMULATOR_DELAY_MS: '300',
  DATABASE_URL: '',
  AMQP_URL: '',
  NODE_ENV: 'development',
};

/** Starts it and waits until it is ready; otherwise throws with its output. */
export async function startTestProduct(
  env: Record<string, string> = {},
  at: { dataDir?: string; port?: number } = {},
): Promise<TestProduct> {
  const dataDir = at.dataDir ?? (await mkdtemp(join(tmpdir(), 'vuka-run-')));
  const port = at.port ?? (await findFreePort());
  const child = spawn(process.execPath, [join(ROOT, 'infra/local/src/start.ts')], {
    env: { ...process.env, ...DEFAULTS, HOST: '127.0.0.1', ...env, PORT: String(port), VUKA_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const { pid } = child;
  if (pid === undefined) throw new Error('the product could not be started');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await exited)[0];
  };
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const run = await readRunFile(dataDir);
    if (run?.ready && run.pid === pid) {
      const dispose = async () => {
        await end('SIGTERM');
        await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      };
      return { url: run.url, dataDir, run, pid, output: () => output, end, dispose };
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the product did not become ready:\n${output}`);
    }
    await delay(50);
  }
}
