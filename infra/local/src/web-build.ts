import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT, StartError } from './start-settings.ts';

const WEB = join(ROOT, 'apps/web');
const SOURCES = ['src', 'worker', 'build', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) =>
  join(WEB, name),
);
const SHARED_SOURCES = [join(ROOT, 'packages/contracts/src')];

/** The directory of the built web app. */
export const WEB_ROOT = join(WEB, 'dist');

/** Builds the web app if it is missing or older than its sources. Throws a StartError if that fails. */
export async function buildWebApp(say: (line: string) => void): Promise<void> {
  if (!existsSync(join(WEB, 'index.html')) || (await isFresh())) return;
  say('Building the web app...');
  // Built in a temporary place and then moved: another run may be serving, or building, the same files.
  const draft = `node_modules/.dist-${process.pid}`;
  try {
    await runVite(draft);
    const old = join(WEB, `${draft}.old`);
    await rename(WEB_ROOT, old).catch(() => undefined);
    await rename(join(WEB, draft), WEB_ROOT);
    await rm(old, { recursive: true, force: true });
  } finally {
    await rm(join(WEB, draft), { recursive: true, force: true });
  }
}

async function isFresh(): Promise<boolean> {
  const built = await stat(join(WEB_ROOT, 'index.html')).catch(() => undefined);
  if (!built) return false;
  const newest = await Promise.all([...SOURCES, ...SHARED_SOURCES].map(newestIn));
  return Math.max(...newest) <= built.mtimeMs;
}

async function newestIn(path: string): Promise<number> {
  const own = await stat(path).catch(() => undefined);
  if (!own?.isDirectory()) return own?.mtimeMs ?? 0;
  const entries = await readdir(path);
  return Math.max(own.mtimeMs, ...(await Promise.all(entries.map((entry) => newestIn(join(path, entry))))));
}

function runVite(outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(join(WEB, 'package.json')).resolve('vite/package.json')), 'bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: WEB,
    // Without this a build from a test would contain the libraries' development versions.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-4000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`The web app could not be built:\n${output}`));
    });
  });
}
