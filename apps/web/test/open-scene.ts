import type { Browser, Page, Request } from 'playwright-core';
import type { Scene } from './admin-scenes.ts';
import { amina } from './fixtures.ts';
import { startMockServer } from './mock-server.ts';

/** The date of the fixtures: a chart that ended today would be nearly empty. */
const NOW = new Date('2026-01-12T12:06:00.000Z');
/** Pages that compare the clock with times of the server: until when a rate is held, or a session lasts. */
const IN_REAL_TIME = ['/', '/send', '/profile'];

/** Whether a page has finished loading: no placeholders and no spinners. */
const isWhole = () => !document.querySelector('.boot, .animate-appear, .animate-spin, [aria-busy="true"]');

/** After two frames, every change by an event or an answer is on the screen. */
const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** The requests of a page that have no answer yet; its live events never end. */
function requestsOf(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>();
  page.on('request', (request) => request.resourceType() !== 'eventsource' && open.add(request));
  const end = (request: Request) => open.delete(request);
  page.on('requestfinished', end).on('requestfailed', end);
  return open;
}

export interface View {
  width: number;
  height: number;
  /** Pixels of the picture per pixel of the page. */
  scale: number;
}

export interface OpenScene {
  page: Page;
  close: () => Promise<void>;
}

/** Opens a scene in a new browser context with a server of its own, and waits until it is whole. */
export async function openScene(
  browser: Browser,
  scene: Scene,
  { width, height, scale }: View,
  onProblem: (text: string) => void,
): Promise<OpenScene> {
  const server = await startMockServer(0, { user: amina, ...scene.world });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: 'light',
    locale: scene.language ?? 'en-US',
    timezoneId: 'Africa/Nairobi',
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  // It would load every file of the app for a page that is open for a second.
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  const page = await context.newPage();
  if (!IN_REAL_TIME.includes(scene.path)) await page.clock.setFixedTime(NOW);
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) onProblem(message.text());
  });
  page.on('pageerror', (error) => onProblem(error.message));
  const requests = requestsOf(page);
  await page.goto(server.url + scene.path);
  const settle = async (): Promise<void> => {
    do {
      await page.evaluate(twoFrames);
      if (scene.world?.silent) return;
      await page.waitForFunction(isWhole);
    } while (requests.size > 0);
    await page.evaluate(twoFrames);
  };
  await page.locator('.boot').waitFor({ state: 'detached' });
  await settle();
  await scene.act?.(page, server.world);
  await settle();
  const close = async (): Promise<void> => {
    await context.close();
    server.close();
  };
  return { page, close };
}
