import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Bundle, chunksOf, entryOf, frameChunk, pageChunk, withImports } from './chunks.ts';
import { brotli } from './precompress.ts';

/** Bytes after brotli. See the table of `npm run bench:web`. */
const LIMITS = {
  /** The page with its styles, code and font, without headers and answers of the API. */
  signInPage: 128_800,
  firstView: { 'auth-page.tsx': 111_500, 'send-money-page.tsx': 126_000, 'dashboard-page.tsx': 125_000 },
  merchantPage: 10_000,
  adminPage: 25_000,
  css: 10_000,
  font: 11_000,
} as const;

export interface Weight {
  item: string;
  bytes: number;
  limit: number;
}

/** Compares each part of the build with its limit. */
export async function weigh(outputFolder: string, bundle: Bundle): Promise<Weight[]> {
  const sizes = new Map<string, number>();
  for (const { fileName, code } of chunksOf(bundle)) sizes.set(fileName, (await brotli(Buffer.from(code))).length);
  const sum = (names: Iterable<string>): number => [...names].reduce((all, name) => all + (sizes.get(name) ?? 0), 0);
  const entry = withImports(bundle, entryOf(bundle).fileName);
  const frame = withImports(bundle, frameChunk(bundle).fileName);
  const firstViews = Object.entries(LIMITS.firstView).map(([page, limit]) => {
    const own = withImports(bundle, pageChunk(bundle, page).fileName);
    const bytes = sum(new Set([...entry, ...(page === 'auth-page.tsx' ? [] : frame), ...own]));
    return { item: `first view of ${page}, JS`, bytes, limit };
  });
  const pages = chunksOf(bundle)
    .filter(({ facadeModuleId }) => facadeModuleId?.includes('/src/pages/'))
    .map(({ facadeModuleId, fileName }) => {
      const isAdmin = facadeModuleId?.includes('/pages/admin/');
      const item = `${isAdmin ? 'admin/' : ''}${basename(facadeModuleId ?? '')}, its own chunk`;
      return { item, bytes: sizes.get(fileName) ?? 0, limit: isAdmin ? LIMITS.adminPage : LIMITS.merchantPage };
    });
  const signIn = await weighSignInPage(outputFolder, firstViews[0]?.bytes ?? 0);
  return [signIn, ...firstViews, ...pages, await weighCss(outputFolder), ...weighFonts(bundle)];
}

async function weighSignInPage(outputFolder: string, codeBytes: number): Promise<Weight> {
  const html = await readFile(join(outputFolder, 'auth.html'));
  const font = /<link rel="preload" href="\/([^"]+\.woff2)"/.exec(html.toString())?.[1];
  if (!font) throw new Error('auth.html preloads no font');
  const bytes = codeBytes + (await brotli(html)).length + (await readFile(join(outputFolder, font))).length;
  return { item: 'sign-in page with code and font', bytes, limit: LIMITS.signInPage };
}

async function weighCss(outputFolder: string): Promise<Weight> {
  const html = await readFile(join(outputFolder, 'index.html'), 'utf8');
  const css = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  return { item: 'CSS, all', bytes: (await brotli(Buffer.from(css))).length, limit: LIMITS.css };
}

function weighFonts(bundle: Bundle): Weight[] {
  return Object.values(bundle)
    .filter((file) => file.type === 'asset' && file.fileName.endsWith('.woff2'))
    .map((file) => ({
      item: basename(file.fileName),
      bytes: file.type === 'asset' ? file.source.length : 0,
      limit: LIMITS.font,
    }));
}

/** Throws when any part exceeds its limit: on a cheap phone every kilobyte costs time. */
export function checkBudgets(weights: readonly Weight[]): void {
  const tooHeavy = weights.filter(({ bytes, limit }) => bytes > limit);
  if (tooHeavy.length === 0) return;
  const lines = tooHeavy.map(({ item, bytes, limit }) => `  ${item}: ${bytes} bytes, at most ${limit}`);
  throw new Error(`The web app exceeds its size budget:\n${lines.join('\n')}`);
}
