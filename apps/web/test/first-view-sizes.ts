import { chromium } from 'playwright-core';
import { amina } from './fixtures.ts';
import { startMockServer } from './mock-server.ts';

// What a first visit loads, as the server sends it (brotli), and whether it keeps to the budgets, in bytes.

const BUDGETS = {
  script: { '/auth': 120_000, '/send': 125_000, '/dashboard': 125_000 },
  stylesheet: 10_000,
  font: 16_000,
};

async function measure(path: keyof typeof BUDGETS.script): Promise<Record<string, number>> {
  const server = await startMockServer(0, { user: path === '/auth' ? null : amina });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  // What is fetched ahead for the next pages leaves a second after the load: it is no part of the first view.
  await page.addInitScript('window.requestIdleCallback = () => 0');
  const sizes: Record<string, number> = { all: 0 };
  const measured: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/')) return;
    measured.push(
      request.sizes().then(({ responseBodySize }) => {
        const type = request.resourceType();
        sizes[type] = (sizes[type] ?? 0) + responseBodySize;
        sizes.all = (sizes.all ?? 0) + responseBodySize;
      }),
    );
  });
  await page.goto(server.url + path);
  await page.getByRole('heading').first().waitFor();
  await page.waitForTimeout(500);
  await Promise.all(measured);
  await browser.close();
  server.close();
  return sizes;
}

for (const path of ['/auth', '/send', '/dashboard'] as const) {
  const sizes = await measure(path);
  process.stdout.write(`${path} ${JSON.stringify(sizes)}\n`);
  const isWithin =
    (sizes.script ?? 0) <= BUDGETS.script[path] &&
    (sizes.stylesheet ?? 0) <= BUDGETS.stylesheet &&
    (sizes.font ?? 0) <= BUDGETS.font;
  if (!isWithin) process.exitCode = 1;
}
