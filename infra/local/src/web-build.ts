import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildFolder, runBuild } from './build-folder.ts';
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
  await buildFolder(WEB_ROOT, join(WEB, `node_modules/.dist-${process.pid}`), async (draft) => {
    const vite = join(dirname(createRequire(join(WEB, 'package.json')).resolve('vite/package.json')), 'bin/vite.js');
    const options = ['--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'];
    // Without this a build from a test would contain the libraries' development versions.
    const env = { ...process.env, NODE_ENV: 'production' };
    const { isDone, output } = await runBuild([vite, 'build', ...options], { cwd: WEB, env });
    if (!isDone) throw new StartError(`The web app could not be built:\n${output}`);
  });
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
