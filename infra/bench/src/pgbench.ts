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
  seconds: number;
}

export type PgbenchResult =
  | { available: true; tps: number; clients: number; scale: number }
  | { available: false; why: string };

const CLIENTS = 64;
const SCALE = 20;
const DEBIAN_BINARIES = '/usr/lib/postgresql';

/**
 * PostgreSQL's own benchmark on the same server, as the reference for the ledger: TPC-B-like, prepared, 64 clients on
 * 2 threads, scale 20. Reports if the program is not installed; throws if it fails.
 */
export async function pgbench(options: PgbenchOptions): Promise<PgbenchResult> {
  const binary = findPgbench();
  if (!binary) return { available: false, why: 'pgbench is not installed (PATH, /usr/lib/postgresql/*/bin)' };
  const { host, port, user, database, password } = options;
  const target = ['-h', host, '-p', String(port), '-U', user, database];
  await run(binary, ['-i', '-q', '-s', String(SCALE), ...target], password);
  const measure = ['-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(options.seconds)];
  const output = await run(binary, [...measure, ...target], password);
  const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
  if (!tps) throw new Error(`pgbench gave no figure:\n${output}`);
  return { available: true, tps: Math.round(Number(tps)), clients: CLIENTS, scale: SCALE };
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
