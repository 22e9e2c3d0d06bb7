import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { type Bundle, chunksOf } from './chunks.ts';

const SOURCE = 'worker/service-worker.ts';

/** What only administrators load comes over the network: a merchant's phone need not hold it. */
function isMerchants(file: string, bundle: Bundle): boolean {
  const chunk = bundle[file];
  return (
    chunk?.type !== 'chunk' ||
    !chunk.moduleIds.every((id) => /\/(pages\/admin|features\/admin)|sw-admin\.json/.test(id))
  );
}

/** Writes `sw.js` with the list of files that make the app work offline, and a version made of their contents. */
export async function writeServiceWorker(root: string, outputFolder: string, bundle: Bundle): Promise<void> {
  const assets = [
    ...chunksOf(bundle).map(({ fileName }) => fileName),
    ...Object.keys(bundle).filter((name) => name.endsWith('.woff2')),
  ];
  const files = ['/index.html', ...assets.filter((name) => isMerchants(name, bundle)).map((name) => `/${name}`)].sort();
  // Names of assets carry the hash of their content; the page does not.
  const page = await readFile(join(outputFolder, 'index.html'));
  const version = createHash('sha256').update(page).update(files.join('\n')).digest('hex').slice(0, 12);
  const source = await readFile(join(root, SOURCE), 'utf8');
  const { code } = await transformWithOxc(source, SOURCE, {
    define: { __VERSION__: JSON.stringify(version), __FILES__: JSON.stringify(files) },
  });
  await writeFile(join(outputFolder, 'sw.js'), code);
}
