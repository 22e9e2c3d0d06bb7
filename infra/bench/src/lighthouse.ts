import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Downloaded on first use: it is large, and nothing else needs it. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CHROME_FLAGS = '--headless=new --no-sandbox --disable-gpu --disable-background-networking --no-first-run';

/** Lighthouse's message when it fails to record a trace, which happens sometimes. */
const RECORDING_FAILED = 'Please run Lighthouse again';
const RECORDINGS = 3;

export interface LighthouseRun {
  /** 0 to 100. */
  scores: { performance: number; accessibility: number; 'best-practices': number };
  cls: number;
  tbtMs: number;
  /**
   * The blocking time that the page itself causes, ms: for each task, the processor time, slowed down by four, beyond
   * 50 ms. Lighthouse measures a task's wall-clock time, which includes other processes of this machine.
   */
  ownBlockingMs: number;
  /**
   * Lighthouse's measure of this machine's processor; it expects 1,500 to 2,000, and slows every page down by four.
   */
  benchmarkIndex: number;
}

/** One audit of a page with Lighthouse's mid-range phone profile, signed in by the cookie. */
export async function runLighthouse(url: string, cookie: string | undefined): Promise<LighthouseRun> {
  const folder = await mkdtemp(join(tmpdir(), 'vuka-lighthouse-'));
  try {
    const output = join(folder, 'report.json');
    const args = [
      ...['--yes', LIGHTHOUSE, url, '--quiet', '--save-assets', '--output=json', `--output-path=${output}`],
      ...['--only-categories=performance,accessibility,best-practices', `--chrome-flags=${CHROME_FLAGS}`],
      ...(cookie ? [`--extra-headers=${JSON.stringify({ cookie })}`] : []),
    ];
    await record(args);
    const trace = await readFile(join(folder, 'report-0.trace.json'), 'utf8');
    return { ...toRun(JSON.parse(await readFile(output, 'utf8'))), ownBlockingMs: ownBlocking(JSON.parse(trace), url) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function record(args: string[]): Promise<void> {
  for (let recording = 1; ; recording++) {
    try {
      await promisify(execFile)('npx', args, { timeout: 180_000, maxBuffer: 64 * 1024 * 1024 });
      return;
    } catch (error) {
      if (recording === RECORDINGS || !String(error).includes(RECORDING_FAILED)) throw error;
    }
  }
}

interface LighthouseReport {
  categories: Record<string, { score: number }>;
  environment: { benchmarkIndex: number };
  audits: Record<string, { numericValue?: number }>;
}

function toRun(report: LighthouseReport): Omit<LighthouseRun, 'ownBlockingMs'> {
  const score = (name: string) => Math.round((report.categories[name]?.score ?? 0) * 100);
  const figure = (name: string) => report.audits[name]?.numericValue ?? Number.POSITIVE_INFINITY;
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
    },
    cls: Math.round(figure('cumulative-layout-shift') * 1_000) / 1_000,
    tbtMs: Math.round(figure('total-blocking-time')),
    benchmarkIndex: Math.round(report.environment.benchmarkIndex),
  };
}

/** From the trace-event format: `dur` and `tdur` (thread time) in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
  args?: { data?: { documentLoaderURL?: string } };
}

const SLOWDOWN = 4;
const BLOCKING_MS = 50;

function ownBlocking({ traceEvents }: { traceEvents: TraceEvent[] }, url: string): number {
  const start = traceEvents.findLast(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL === url,
  );
  if (!start) throw new Error(`the trace does not show the navigation to ${url}`);
  const firstPaint = traceEvents.find(
    ({ name, pid, ts }) => name === 'firstContentfulPaint' && pid === start.pid && ts > start.ts,
  );
  const blockingMs = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && pid === start.pid && tid === start.tid)
    .filter(({ ts }) => ts > (firstPaint?.ts ?? start.ts))
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1_000) * SLOWDOWN - BLOCKING_MS), 0);
  return Math.round(blockingMs);
}
