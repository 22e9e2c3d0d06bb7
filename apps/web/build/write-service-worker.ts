import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { type Bundle, type Chunk, chunksOf } from './chunks.ts';

const SOURCE = 'worker/service-worker.ts';

/** Admin-only chunks load over the network: a merchant's phone need not store them. */
function isMerchants({ moduleIds }: Chunk): boolean {
  return !moduleIds.every((id) => /\/(pages\/admin|features\/admin)|sw-admin\.json/.test(id));
}

/** Writes `sw.js` with the list of files that the app needs offline, and a version derived from their contents. */
export async function writeServiceWorker(root: string, outputFolder: string, bundle: Bundle): Promise<void> {
  const chunks = chunksOf(bundle).filter(isMerchants);
  const assets = [
    ...chunks.map(({ fileName }) => fileName),
    // A page with styles of its own does not open without them. Those of the entry are in the page itself.
    ...chunks.flatMap(({ isEntry, viteMetadata }) => (isEntry ? [] : [...(viteMetadata?.importedCss ?? [])])),
    ...Object.keys(bundle).filter((name) => name.endsWith('.woff2')),
  ];
  const files = ['/index.html', ...new Set(assets.map((name) => `/${name}`))].sort();
  // Asset names carry a content hash; the page's name does not.
  const page = await readFile(join(outputFolder, 'index.html'));
  const version = createHash('sha256').update(page).update(files.join('\n')).digest('hex').slice(0, 12);
  const source = await readFile(join(root, SOURCE), 'utf8');
  const { code } = await transformWithOxc(source, SOURCE, {
    define: { __VERSION__: JSON.stringify(version), __FILES__: JSON.stringify(files) },
  });
  await writeFile(join(outputFolder, 'sw.js'), code);
}
