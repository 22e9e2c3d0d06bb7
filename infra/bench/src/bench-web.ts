import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readArguments } from '@vuka/service-kit/command-line';
import { launchBrowser } from '@vuka/test-kit/launch-browser';
import { runLighthouse } from './lighthouse.ts';
import { makeDataDir, runProduct } from './run-product.ts';
import { measureFirstVisit, measureRepeatVisit, measureVisitBytes, signIn } from './web-visits.ts';

// Measures the web app on a cheap phone with a slow connection, against the running product. Needs Chromium, and
// access to the npm registry for Lighthouse, which is downloaded on first use.

const RESULTS = fileURLToPath(new URL('../../../bench-results/', import.meta.url));
const { values: asked } = readArguments('Usage: npm run bench:web -- [--quick]', {
  options: { quick: { type: 'boolean', default: false } },
});
const RUNS = asked.quick ? 1 : 5;

interface Row {
  item: string;
  value: number;
  unit: string;
  /** The maximum, or for scores the minimum. None for a figure that is only reported. */
  limit?: number;
  isScore?: boolean;
}

const say = (line: string) => console.log(line);

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let run = 0; run < RUNS; run++) values.push(await measure());
  return median(values);
}

async function measureVisits(url: string): Promise<Row[]> {
  const browser = await launchBrowser();
  try {
    say('first visits ...');
    const bytes = await measureVisitBytes(browser, url, '/auth');
    const firstLcpMs = await medianOf(() => measureFirstVisit(browser, url, '/auth'));
    say('repeat visits ...');
    const repeats = [];
    for (let run = 0; run < RUNS; run++) repeats.push(await measureRepeatVisit(browser, url));
    const shownMs = median(repeats.map((repeat) => repeat.shownMs));
    const freshMs = median(repeats.map((repeat) => repeat.freshMs));
    return [
      { item: 'first visit to /auth, all bytes', value: bytes, unit: 'B', limit: 135_000 },
      { item: 'slow 3G, CPU / 6: LCP of /auth, first visit', value: firstLcpMs, unit: 'ms', limit: 2_000 },
      { item: 'the same, repeat visit to /send until the balance shows', value: shownMs, unit: 'ms', limit: 2_000 },
      { item: 'the same, until the current balance has arrived', value: freshMs, unit: 'ms' },
    ];
  } finally {
    await browser.close();
  }
}

const SCORES = [
  ['performance', 95],
  ['accessibility', 100],
  ['best-practices', 100],
] as const;

async function measureLighthouse(url: string): Promise<Row[]> {
  const cookie = await signIn(url);
  const rows: Row[] = [];
  for (const path of ['/auth', '/send', '/dashboard']) {
    say(`Lighthouse ${path} ...`);
    const runs = [];
    for (let run = 0; run < RUNS; run++)
      runs.push(await runLighthouse(url + path, path === '/auth' ? undefined : cookie));
    for (const [name, limit] of SCORES) {
      const value = median(runs.map(({ scores }) => scores[name]));
      rows.push({ item: `Lighthouse mobile ${path}: ${name}`, value, unit: '', limit, isScore: true });
    }
    rows.push({ item: `${path}: CLS`, value: median(runs.map(({ cls }) => cls)), unit: '', limit: 0.02 });
    rows.push({ item: `${path}: TBT`, value: median(runs.map(({ tbtMs }) => tbtMs)), unit: 'ms', limit: 150 });
    const own = median(runs.map(({ ownBlockingMs }) => ownBlockingMs));
    rows.push({ item: `${path}: of which caused by the page itself, in processor time`, value: own, unit: 'ms' });
    const speed = median(runs.map(({ benchmarkIndex }) => benchmarkIndex));
    rows.push({ item: `${path}: speed of this processor, as Lighthouse measures it`, value: speed, unit: '' });
  }
  return rows;
}

function isMet({ value, limit, isScore }: Row): boolean {
  if (limit === undefined) return true;
  return isScore ? value >= limit : value <= limit;
}

async function main(): Promise<void> {
  const dataDir = await makeDataDir();
  const run = await runProduct(dataDir.path, {});
  try {
    const rows = [...(await measureVisits(run.url)), ...(await measureLighthouse(run.url))];
    say(
      `\n${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}; median of ${RUNS}\n\n| item | measured | limit | |\n|---|---|---|---|`,
    );
    for (const row of rows) {
      const verdict = row.limit === undefined ? '' : isMet(row) ? 'met' : '**missed**';
      say(`| ${row.item} | ${row.value} ${row.unit} | ${row.limit ?? ''} | ${verdict} |`);
    }
    await mkdir(RESULTS, { recursive: true });
    await writeFile(`${RESULTS}bench-web.json`, `${JSON.stringify(rows, null, 2)}\n`);
    if (!rows.every(isMet)) process.exitCode = 1;
  } finally {
    await run.stop();
    await dataDir.remove();
  }
}

await main();
