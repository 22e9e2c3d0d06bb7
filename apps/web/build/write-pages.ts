import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { type Bundle, entryOf, pageChunk, rendererChunk, withImports } from './chunks.ts';

/** The pages that a visit begins with: each has an HTML file that names its chunks, so that none waits for another. */
const FIRST_PAGES = { auth: 'auth-page.tsx', send: 'send-money-page.tsx', dashboard: 'dashboard-page.tsx' } as const;

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/;
const ROOT = /<div id="root">[\s\S]*?<\/div>\s*(?=<\/body>)/;

/**
 * Writes one HTML file for each page that a visit begins with, and `index.html` for all others. The styles stand in
 * them: on a slow line a second request costs more than the bytes. The sign-in page is there before any script has run.
 */
export async function writePages(root: string, outputFolder: string, bundle: Bundle): Promise<void> {
  const file = join(outputFolder, 'index.html');
  const entry = withImports(bundle, entryOf(bundle).fileName);
  const renderer = withImports(bundle, rendererChunk(bundle).fileName);
  const entryPage = await withInlineStyles(await readFile(file, 'utf8'), outputFolder);
  const html = withPreloads(entryPage, without(renderer, entry));
  await writeFile(file, html);
  for (const [name, page] of Object.entries(FIRST_PAGES)) {
    const own = withImports(bundle, pageChunk(bundle, page).fileName);
    const content = withPreloads(html, without(own, entry, renderer));
    await writeFile(
      join(outputFolder, `${name}.html`),
      name === 'auth' ? await withSignInPage(root, content) : content,
    );
  }
}

function without(chunks: Set<string>, ...known: Set<string>[]): string[] {
  return [...chunks].filter((chunk) => !known.some((set) => set.has(chunk)));
}

function withPreloads(html: string, chunks: string[]): string {
  const links = chunks.map((chunk) => `    <link rel="modulepreload" crossorigin href="/${chunk}">\n`);
  return html.replace('  </head>', `${links.join('')}  </head>`);
}

async function withInlineStyles(html: string, outputFolder: string): Promise<string> {
  const [link, path] = STYLESHEET.exec(html) ?? [];
  if (!link || !path) throw new Error('index.html links no stylesheet');
  const css = (await readFile(join(outputFolder, path), 'utf8')).trim();
  await rm(join(outputFolder, path));
  return html.replace(link, () => `\n    <style>${css}</style>`);
}

async function withSignInPage(root: string, html: string): Promise<string> {
  const markup = await renderSignInPage(root);
  // The content security policy has no room for style attributes.
  if (/\sstyle="/.test(markup)) throw new Error('the sign-in page has an inline style, which the policy refuses');
  if (!ROOT.test(html)) throw new Error('index.html has no #root');
  // What is typed into a picture would be lost.
  const picture = markup.replaceAll('<input ', '<input readonly ');
  return html.replace(ROOT, () => `<div id="root" inert>${picture}</div>\n  `);
}

async function renderSignInPage(root: string): Promise<string> {
  // Below node_modules, so that what the page imports from there is found.
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
