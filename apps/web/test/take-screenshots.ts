import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import type { Scene } from './admin-scenes.ts';
import { openScene } from './open-scene.ts';
import { writeReadmePicture } from './readme-picture.ts';
import { scenes } from './scenes.ts';

const HELP = `Saves a screenshot of every scene at every width, in both themes and languages.

  npm run shots -w @vuka/web -- [--widths=360,1280] [--themes=light] [--languages=en] [--folder=…] [scene …]
  npm run shots -w @vuka/web -- --readme      only the picture of the README

Arguments are prefixes of the names of scenes; one that ends with a dot is a whole name.`;

const { values: asked, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    /** Comma-separated, like the themes and languages. */
    widths: { type: 'string', default: '360,768,1024,1280,1920' },
    themes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: 'en,sw' },
    folder: { type: 'string', default: join(import.meta.dirname, '../../../screenshots') },
    /** Only makes the picture of the README. */
    readme: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (asked.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit();
}
/** Relative to the directory in which npm was called, `INIT_CWD`. */
const FOLDER = resolve(process.env.INIT_CWD ?? '.', asked.folder);
const WIDTHS = asked.widths.split(',').map(Number);
const THEMES = asked.themes.split(',') as ('light' | 'dark')[];
const LANGUAGES = asked.languages.split(',');
const README_PICTURE = join(import.meta.dirname, '../../../docs/images/vuka.png');
const MAX_HEIGHT = 4_000;

const heightFor = (width: number): number => (width < 768 ? 740 : 800);

const isAsked = ({ name, language }: Scene): boolean =>
  LANGUAGES.includes(language ?? 'en') && (only.length === 0 || only.some((start) => `${name}.`.startsWith(start)));

const problems: string[] = [];

async function shoot(browser: Browser, scene: Scene, width: number): Promise<void> {
  const height = heightFor(width);
  const note = (text: string) => problems.push(`${scene.name} ${width}: ${text}`);
  const { page, close } = await openScene(browser, scene, { width, height, scale: 1 }, note);
  try {
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      const file = `${FOLDER}/${scene.name}-${width}-${theme}`;
      await page.screenshot({ path: `${file}.png`, animations: 'disabled' });
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      if (whole > height && theme === THEMES[0]) {
        await page.setViewportSize({ width, height: Math.min(whole, MAX_HEIGHT) });
        await page.screenshot({ path: `${file}-full.png`, animations: 'disabled' });
        await page.setViewportSize({ width, height });
      }
    }
  } finally {
    await close();
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
if (asked.readme) {
  await writeReadmePicture(browser, scenes, README_PICTURE);
} else {
  await mkdir(FOLDER, { recursive: true });
  const chosen = scenes.filter(isAsked);
  if (chosen.length === 0) problems.push('No scene has one of these names and languages.');
  for (const scene of chosen) {
    for (const width of WIDTHS) {
      await shoot(browser, scene, width).catch((error: Error) => {
        problems.push(`${scene.name} ${width}: ${error.message}`);
      });
    }
  }
}
await browser.close();
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}
