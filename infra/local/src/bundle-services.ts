import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { MANIFEST, statesOf } from './service-build.ts';
import { SERVICE_SCRIPTS } from './services.ts';
import { ROOT } from './start-settings.ts';

/** Writes the broker's definitions; run in containers. */
const TOPOLOGY = 'packages/service-kit/src/messaging/write-definitions.ts';
/** Libraries that read files beside their own. */
const NOT_BUNDLED = [/^@fastify\/swagger/, 'pg-native'];
/** They decide which scripts are built, how, and with which versions of libraries. */
const RECIPE = ['package-lock.json', 'infra/local/src/bundle-services.ts', 'infra/local/src/services.ts'];

/** Bundles the scripts of all services into a folder. Returns the repository's files that the bundle depends on. */
async function bundle(folder: string): Promise<string[]> {
  const scripts = [...SERVICE_SCRIPTS, TOPOLOGY];
  const build = await rolldown({
    input: Object.fromEntries(scripts.map((script) => [script.replace(/\.ts$/, ''), join(ROOT, script)])),
    cwd: ROOT,
    platform: 'node',
    external: NOT_BUNDLED,
    logLevel: 'warn',
  });
  const { output } = await build.write({ dir: folder, sourcemap: true, chunkFileNames: 'shared/[name]-[hash].js' });
  await build.close();
  const sources = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const isOwn = (path: string) => path.startsWith(ROOT) && !path.includes('node_modules') && existsSync(path);
  return [...new Set(sources.filter(isOwn).map((path) => relative(ROOT, path))), ...RECIPE];
}

// `node bundle-services.ts <folder>`: a process of its own, because the bundler's memory is not given back.
const [folder = ''] = process.argv.slice(2);
await writeFile(join(folder, MANIFEST), JSON.stringify(await statesOf(await bundle(folder))));
