import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { adminTransactionPath, merchantPath, PATHS, receiptPath, verifyPath } from '../src/shared/paths.ts';
import { adminScenes, type Scene } from './admin-scenes.ts';
import { amina } from './fixtures.ts';
import { merchantScenes } from './merchant-scenes.ts';
import { startMockServer } from './mock-server.ts';

// Opens every page at every width, in both themes and languages, saves a screenshot of each, and reports overflow,
// accessibility violations, console errors and breaches of the content security policy.

const FOLDER = process.env.SHOTS ?? join(import.meta.dirname, '../../../screenshots');
const listOf = (value: string | undefined, all: readonly string[]): readonly string[] => value?.split(',') ?? all;
/** Comma-separated prefixes of scene names; one that ends with $ is a whole name. */
const ONLY = process.env.ONLY?.split(',');
const WIDTHS = listOf(process.env.WIDTHS, ['360', '768', '1024', '1280', '1920']).map(Number);
const THEMES = listOf(process.env.THEMES, ['light', 'dark']) as ('light' | 'dark')[];
const LANGUAGES = listOf(process.env.LANGUAGES, ['en', 'sw']);
/** `CHECKS=0` only takes the pictures. */
const HAS_CHECKS = process.env.CHECKS !== '0';
const OVERFLOW_WIDTHS = [320, 360, 768, 1024] as const;
const MAX_HEIGHT = 4_000;

const heightFor = (width: number): number => (width < 768 ? 740 : 800);

const SCENES: readonly Scene[] = [...merchantScenes, ...adminScenes].filter(
  ({ name }) => !ONLY || ONLY.some((start) => `${name}$`.startsWith(start)),
);

/** Only English scenes without steps are repeated in Kiswahili: steps find their controls by English names. */
const inEachLanguage = (scene: Scene): Scene[] => {
  if (scene.language ?? scene.act) return LANGUAGES.includes(scene.language ?? 'en') ? [scene] : [];
  return LANGUAGES.map((language) =>
    language === 'sw' ? { ...scene, name: `${scene.name}-sw`, language: 'sw' as const } : scene,
  );
};

const problems: string[] = [];

/** The date of the admin area's fixtures; a chart that ended today would be nearly empty. */
const NOW = new Date('2026-01-12T06:40:00.000Z');

/** Whether a page has finished loading: no placeholders and no spinners. */
const isWhole = () => !document.querySelector('.boot, .animate-appear, .animate-spin, [aria-busy="true"]');

async function open(browser: Browser, scene: Scene, width: number) {
  const server = await startMockServer(0, { user: amina, ...scene.world });
  const context = await browser.newContext({
    viewport: { width, height: heightFor(width) },
    colorScheme: 'light',
    locale: scene.language ?? 'en-US',
    timezoneId: 'Africa/Nairobi',
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const label = `${scene.name} ${width}`;
  if (scene.path.startsWith('/admin')) await page.clock.setFixedTime(NOW);
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      problems.push(`${label}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${label}: ${error.message}`));
  await page.goto(server.url + scene.path);
  const settle = async (): Promise<void> => {
    if (!scene.world?.silent) await page.waitForFunction(isWhole);
    await page.waitForTimeout(200);
  };
  await page.locator('.boot').waitFor({ state: 'detached' });
  await settle();
  await scene.act?.(page, server.world);
  await settle();
  const close = async (): Promise<void> => {
    await context.close();
    server.close();
  };
  return { page, label, close };
}

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
  const { page, label, close } = await open(browser, scene, width);
  const height = heightFor(width);
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
for (const scene of SCENES.flatMap(inEachLanguage)) {
  for (const width of WIDTHS) {
    await shoot(browser, scene, width).catch((error: Error) => {
      problems.push(`${scene.name} ${width}: ${error.message}`);
    });
  }
}
await browser.close();
process.stdout.write(problems.length > 0 ? `${problems.join('\n')}\n` : 'No problems found\n');
process.exitCode = problems.length > 0 ? 1 : 0;
