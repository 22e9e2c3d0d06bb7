import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFolder, runBuild } from './build-folder.ts';
import { ROOT, StartError } from './start-settings.ts';

const BUILD = join(ROOT, 'infra/local/dist');
const BUNDLE = fileURLToPath(new URL('bundle-services.ts', import.meta.url));
/** The sources of a build, and their states when it was made. */
export const MANIFEST = 'manifest.json';

/** The file that a process runs instead of a script of the sources: the script itself if it was not built. */
export function builtScript(script: string): string {
  const built = join(BUILD, relative(ROOT, script).replace(/\.ts$/, '.js'));
  return existsSync(built) ? built : script;
}

/**
 * Bundles the services if the build is missing or one of its sources has changed: a process then loads a few files
 * instead of 1,200, in half the processor time and with 20 MB less. Throws a StartError if that fails.
 */
export async function buildServices(say: (line: string) => void): Promise<void> {
  if (await isFresh()) return;
  say('Building the services...');
  await buildFolder(BUILD, `${BUILD}-${process.pid}`, async (draft) => {
    const { isDone, output } = await runBuild([BUNDLE, draft], { cwd: ROOT });
    if (!isDone) throw new StartError(`The services could not be built:\n${output}`);
  });
}

async function isFresh(): Promise<boolean> {
  const manifest = await readFile(join(BUILD, MANIFEST), 'utf8').catch(() => undefined);
  if (manifest === undefined) return false;
  const built = JSON.parse(manifest) as Record<string, string>;
  const now = await statesOf(Object.keys(built));
  return Object.entries(built).every(([path, state]) => now[path] === state);
}

/** The time and size of each file, which another version changes in either direction. */
export async function statesOf(paths: string[]): Promise<Record<string, string>> {
  const state = async (path: string) => {
    const file = await stat(join(ROOT, path)).catch(() => undefined);
    return [path, file ? `${file.mtimeMs} ${file.size}` : 'missing'] as const;
  };
  return Object.fromEntries(await Promise.all(paths.map(state)));
}
