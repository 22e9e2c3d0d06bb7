import { writeFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import type { Scene } from './admin-scenes.ts';
import { openScene } from './open-scene.ts';

const PHONE = { width: 360, height: 740 };
/** Pixels of the picture. */
const SHOWN_WIDTH = 450;
const GAP = 42;

const PHONES = [
  { name: 'dashboard', theme: 'light', lastText: 'This month' },
  { name: 'send-filled', theme: 'light', lastText: 'Rate held for' },
  { name: 'confirm', theme: 'dark', lastText: 'Rate held for' },
  { name: 'receipt-settled', theme: 'light', lastText: 'Delivered' },
] as const;

/** The picture of the README: four phones, side by side. */
export async function writeReadmePicture(browser: Browser, scenes: readonly Scene[], file: string): Promise<void> {
  const scale = SHOWN_WIDTH / PHONE.width;
  const pictures: string[] = [];
  for (const { name, theme, lastText } of PHONES) {
    const scene = scenes.find((each) => each.name === name);
    if (!scene) throw new Error(`no scene ${name}`);
    const { page, close } = await openScene(browser, scene, { ...PHONE, scale }, () => undefined);
    await page.getByText(lastText).first().waitFor();
    await page.emulateMedia({ colorScheme: theme });
    pictures.push((await page.screenshot({ animations: 'disabled' })).toString('base64'));
    await close();
  }
  const images = pictures.map((data) => `<img width="${SHOWN_WIDTH}" src="data:image/png;base64,${data}">`).join('');
  const page = await browser.newPage({ deviceScaleFactor: 1 });
  await page.setContent(
    `<body style="margin:0"><div style="display:inline-flex;gap:${GAP}px;padding:${GAP / 2}px;background:#e6ebf3">${images}</div>`,
  );
  await writeFile(file, await page.locator('div').screenshot());
  await page.close();
}
