import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface PgbenchOptions {
  host: string;
  port: number;
  user: string;
  password?: string;
  /** An empty database; pgbench fills it. */
  database: string;
}

/** Measures for this many seconds; returns transactions per second. */
export type Pgbench = (seconds: number) => Promise<number>;

const CLIENTS = 64;
const SCALE = 20;
const DEBIAN_BINARIES = '/usr/lib/postgresql';

/**
 * PostgreSQL's own benchmark on the same server, as the yardstick: TPC-B-like, prepared, 64 clients on 2 threads, scale
 * 20. Fills the database. Undefined if the program is not installed; throws if it fails.
 */
export async function preparePgbench(options: PgbenchOptions): Promise<Pgbench | undefined> {
  const binary = findPgbench();
  if (!binary) return undefined;
  const { host, port, user, database, password } = options;
  const target = ['-h', host, '-p', String(port), '-U', user, database];
  await run(binary, ['-i', '-q', '-s', String(SCALE), ...target], password);
  return async (seconds) => {
    const measure = ['-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds)];
    const output = await run(binary, [...measure, ...target], password);
    const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
    if (!tps) throw new Error(`pgbench gave no figure:\n${output}`);
    return Math.round(Number(tps));
  };
}

function findPgbench(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(path.delimiter);
  const versions = existsSync(DEBIAN_BINARIES)
    ? readdirSync(DEBIAN_BINARIES).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [...onPath, ...versions.map((version) => path.join(DEBIAN_BINARIES, version, 'bin'))];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file));
}

function run(binary: string, args: string[], password: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...(password === undefined ? {} : { PGPASSWORD: password }) };
    const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`pgbench ended with ${code}: ${Buffer.concat(errors).toString().slice(-500)}`));
    });
  });
}
