import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { adminTransactionPath, merchantPath, PATHS, receiptPath, verifyPath } from '../src/shared/paths.ts';
import { adminScenes, type Scene } from './admin-scenes.ts';
import { merchantScenes } from './merchant-scenes.ts';
import { openScene } from './open-scene.ts';
import { writeReadmePicture } from './readme-picture.ts';

// Opens every page at every width, in both themes and languages, saves a screenshot of each, and reports overflow,
// accessibility violations, console errors and breaches of the content security policy. Arguments are prefixes of the
// names of scenes; one that ends with a dot is a whole name.

const { values: asked, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    /** Comma-separated, like the themes and languages. */
    widths: { type: 'string', default: '360,768,1024,1280,1920' },
    themes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: 'en,sw' },
    folder: { type: 'string', default: join(import.meta.dirname, '../../../screenshots') },
    /** Only takes the pictures. */
    'no-checks': { type: 'boolean', default: false },
    /** Only makes the picture of the README. */
    readme: { type: 'boolean', default: false },
  },
});
/** Relative to where the command was given, which npm notes. */
const FOLDER = resolve(process.env.INIT_CWD ?? '.', asked.folder);
const WIDTHS = asked.widths.split(',').map(Number);
const THEMES = asked.themes.split(',') as ('light' | 'dark')[];
const LANGUAGES = asked.languages.split(',');
const HAS_CHECKS = !asked['no-checks'];
const README_PICTURE = join(import.meta.dirname, '../../../docs/images/vuka.png');
const OVERFLOW_WIDTHS = [320, 360, 768, 1024] as const;
const MAX_HEIGHT = 4_000;

const heightFor = (width: number): number => (width < 768 ? 740 : 800);

const SCENES: readonly Scene[] = [...merchantScenes, ...adminScenes].filter(
  ({ name }) => only.length === 0 || only.some((start) => `${name}.`.startsWith(start)),
);

/** Only English scenes without steps are repeated in Kiswahili: steps find their controls by English names. */
const inEachLanguage = (scene: Scene): Scene[] => {
  if (scene.language ?? scene.act) return LANGUAGES.includes(scene.language ?? 'en') ? [scene] : [];
  return LANGUAGES.map((language) =>
    language === 'sw' ? { ...scene, name: `${scene.name}-sw`, language: 'sw' as const } : scene,
  );
};

const problems: string[] = [];

async function checkAccess(page: Page, label: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const violation of violations) {
    const where = violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ');
    problems.push(`${label}: axe ${violation.id}: ${where}`);
  }
}

async function checkWidths(page: Page, label: string): Promise<void> {
  for (const width of OVERFLOW_WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) problems.push(`${label}: ${wide} px wide at ${width}`);
  }
}

/** The themes differ in colours and the widths in layout: a check in each theme, at any width, covers both. */
async function shoot(browser: Browser, scene: Scene, width: number): Promise<void> {
  const label = `${scene.name} ${width}`;
  const height = heightFor(width);
  const note = (text: string) => problems.push(`${label}: ${text}`);
  const { page, close } = await openScene(browser, scene, { width, height, scale: 1 }, note);
  try {
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      const file = `${FOLDER}/${scene.name}-${width}-${theme}`;
      await page.screenshot({ path: `${file}.png`, animations: 'disabled' });
      if (HAS_CHECKS && width === (theme === 'light' ? WIDTHS[0] : WIDTHS.at(-1)))
        await checkAccess(page, `${label} ${theme}`);
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      if (whole > height && theme === THEMES[0]) {
        await page.setViewportSize({ width, height: Math.min(whole, MAX_HEIGHT) });
        await page.screenshot({ path: `${file}-full.png`, animations: 'disabled' });
        await page.setViewportSize({ width, height });
      }
    }
    if (HAS_CHECKS && width === WIDTHS[0]) await checkWidths(page, label);
  } finally {
    await close();
  }
}

/** Paths of the app without a screenshot. */
function pathsWithoutScene(): string[] {
  const shown = [...merchantScenes, ...adminScenes].map(({ path }) => path.replace(/\?.*/, ''));
  const places = [
    ...Object.values(PATHS),
    receiptPath('x'),
    verifyPath('x'),
    merchantPath('x'),
    adminTransactionPath('x'),
  ];
  return places.filter(
    (place) => !shown.some((path) => path === place || (place.endsWith('/x') && path.startsWith(place.slice(0, -1)))),
  );
}

problems.push(...pathsWithoutScene().map((path) => `no picture of ${path}`));
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
if (asked.readme) await writeReadmePicture(browser, merchantScenes, README_PICTURE);
for (const scene of asked.readme ? [] : SCENES.flatMap(inEachLanguage)) {
  for (const width of WIDTHS) {
    await shoot(browser, scene, width).catch((error: Error) => {
      problems.push(`${scene.name} ${width}: ${error.message}`);
    });
  }
}
await browser.close();
process.stdout.write(problems.length > 0 ? `${problems.join('\n')}\n` : 'No problems found\n');
process.exitCode = problems.length > 0 ? 1 : 0;
