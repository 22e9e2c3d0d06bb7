import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { type Bundle, entryOf, frameChunk, pageChunk, rendererChunk, withImports } from './chunks.ts';
import { stylesOf } from './sign-in-styles.ts';

/** The usual landing pages of a signed-in merchant. Each gets an HTML file that preloads its chunks, so that they load in parallel. */
const FIRST_PAGES = { send: 'send-money-page.tsx', dashboard: 'dashboard-page.tsx' } as const;

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/;
/** A comment of the inline script, which is for readers of the source. */
const COMMENT = /^ *\/\/.*\n/gm;
const ROOT = /<div id="root">[\s\S]*?<\/div>\s*(?=<\/body>)/;

/**
 * Writes one HTML file per landing page, and `index.html` for all others. The styles are inlined: on a slow connection
 * a second request costs more than the bytes. The sign-in page is visible before any script has run, and names the
 * styles of the other pages, which it does not have.
 */
export async function writePages(root: string, outputFolder: string, bundle: Bundle): Promise<void> {
  const file = join(outputFolder, 'index.html');
  const entry = withImports(bundle, entryOf(bundle).fileName);
  const renderer = withImports(bundle, rendererChunk(bundle).fileName);
  const frame = withImports(bundle, frameChunk(bundle).fileName);
  const chunksOf = (page: string): Set<string> => withImports(bundle, pageChunk(bundle, page).fileName);
  const bare = (await readFile(file, 'utf8')).replaceAll(COMMENT, '');
  const { link, path, css } = await readStyles(bare, outputFolder);
  const withHead = (head: string): string =>
    withPreloads(
      bare.replace(link, () => head),
      without(renderer, entry),
    );

  const html = withPreloads(withHead(`\n    <style>${css}</style>`), without(frame, entry, renderer));
  await writeFile(file, html);
  for (const [name, page] of Object.entries(FIRST_PAGES)) {
    const content = withPreloads(html, without(chunksOf(page), entry, renderer, frame));
    await writeFile(join(outputFolder, `${name}.html`), content);
  }

  const own = chunksOf('auth-page.tsx');
  const ownCss = await stylesOf(new Set([...entry, ...renderer, ...own]), root, bundle);
  const head = `\n    <meta name="all-styles" content="/${path}" />\n    <style>${ownCss}</style>`;
  const signIn = await withSignInPage(root, withPreloads(withHead(head), without(own, entry, renderer)));
  await writeFile(join(outputFolder, 'auth.html'), signIn);
}

function without(chunks: Set<string>, ...known: Set<string>[]): string[] {
  return [...chunks].filter((chunk) => !known.some((set) => set.has(chunk)));
}

function withPreloads(html: string, chunks: string[]): string {
  const links = chunks.map((chunk) => `    <link rel="modulepreload" crossorigin href="/${chunk}">\n`);
  return html.replace('  </head>', `${links.join('')}  </head>`);
}

async function readStyles(html: string, outputFolder: string): Promise<{ link: string; path: string; css: string }> {
  const [link, path] = STYLESHEET.exec(html) ?? [];
  if (!link || !path) throw new Error('index.html links no stylesheet');
  const css = (await readFile(join(outputFolder, path), 'utf8')).trim();
  // The page that loads the file has the fonts: declared again, they would be loaded again.
  await writeFile(join(outputFolder, path), css.replaceAll(/@font-face\s*\{[^}]*\}/g, ''));
  return { link, path, css };
}

async function withSignInPage(root: string, html: string): Promise<string> {
  const markup = await renderSignInPage(root);
  // The content security policy does not allow style attributes.
  if (/\sstyle="/.test(markup))
    throw new Error('the sign-in page has a style attribute, which the content security policy blocks');
  if (!ROOT.test(html)) throw new Error('index.html has no #root');
  // The page is static until the app renders; text typed before then would be lost.
  const picture = markup.replaceAll('<input ', '<input readonly ');
  return html.replace(ROOT, () => `<div id="root" inert>${picture}</div>\n  `);
}

async function renderSignInPage(root: string): Promise<string> {
  // Below node_modules, so that the page's imports resolve.
  const folder = join(root, 'node_modules', `.prerender-${process.pid}`);
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      build: { ssr: 'src/app/render-sign-in-page.tsx', outDir: folder, emptyOutDir: true, copyPublicDir: false },
    });
    const { renderSignInPage } = await import(pathToFileURL(join(folder, 'render-sign-in-page.js')).href);
    return renderSignInPage();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
