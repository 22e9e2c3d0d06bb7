import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFolderPairs } from './folder-pairs.ts';
import { ROOT } from './start-settings.ts';

// Part of `npm run check`: no two folders of a workspace import each other. Biome checks files.
const { workspaces } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] };
for await (const workspace of glob(workspaces, { cwd: ROOT })) {
  const src = join(ROOT, workspace, 'src');
  const sources = new Map<string, string>();
  for await (const file of glob('**/*.{ts,tsx}', { cwd: src })) {
    if (!file.includes('.test.')) sources.set(file, await readFile(join(src, file), 'utf8'));
  }
  for (const pair of findFolderPairs(sources)) {
    console.error(`${workspace}/src: ${pair}`);
    process.exitCode = 1;
  }
}
