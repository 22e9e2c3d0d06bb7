import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build, type Rolldown } from 'vite';
import { BROWSERS } from './browsers.ts';
import { type Bundle, chunksOf } from './chunks.ts';

/**
 * The styles of the code in some chunks. The sign-in page of a new visitor contains only the styles that it can use;
 * those of all pages are twice as large.
 */
export async function stylesOf(chunks: Set<string>, root: string, bundle: Bundle): Promise<string> {
  const files = chunksOf(bundle)
    .filter(({ fileName }) => chunks.has(fileName))
    .flatMap(({ moduleIds }) => moduleIds.filter((id) => id.startsWith(join(root, 'src'))));
  const css = await compile(root, files);
  const missing = [...css.matchAll(/url\(\/([^)]+)\)/g)].filter(([, file = '']) => !(file in bundle));
  if (missing.length > 0) throw new Error(`the sign-in page's styles name files that do not exist: ${missing}`);
  return css;
}

async function compile(root: string, files: string[]): Promise<string> {
  // Below node_modules, so that Tailwind and the fonts resolve.
  const folder = join(root, 'node_modules', `.styles-${process.pid}`);
  const at = (file: string): string => relative(folder, file).replaceAll('\\', '/');
  const input = join(folder, 'sign-in.css');
  const lines = [`@import "${at(join(root, 'src/styles.css'))}";`, ...files.map((file) => `@source "${at(file)}";`)];
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(input, `${lines.join('\n')}\n`);
    const built = (await build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [tailwindcss()],
      build: { target: BROWSERS, write: false, copyPublicDir: false, assetsInlineLimit: 0, rolldownOptions: { input } },
    })) as Rolldown.RolldownOutput;
    const css = built.output.find(({ fileName }) => fileName.endsWith('.css'));
    if (css?.type !== 'asset') throw new Error('the sign-in page has no styles');
    return css.source.toString().trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
