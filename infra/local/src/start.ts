import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { acquireOwnerLock, type OwnerLock } from '@vuka/embedded-postgres/owner-lock';
import { readArguments } from '@vuka/service-kit/command-line';
import { compactHeapAfterStart } from '@vuka/service-kit/compact-heap';
import { DEMO_ADMIN, DEMO_APPROVER, DEMO_MERCHANTS, seedDemoData } from './demo-data.ts';
import { type Product, startProduct } from './product.ts';
import { readSettings, refuseLiveDemo, type Settings, StartError } from './start-settings.ts';

const USAGE = `Usage: npm start
Settings are environment variables, as in
  PORT=3001 VUKA_DATA_DIR=.vuka-2 npm start`;
const startedAtMs = Date.now();
const stopping = new AbortController();
let product: Product | undefined;
let lock: OwnerLock | undefined;
let stopped: Promise<void> | undefined;

const say = (line: string) => console.log(line);

async function start(): Promise<void> {
  readArguments(USAGE, { options: {} });
  const settings = readSettings();
  refuseLiveDemo(settings);
  await mkdir(settings.dataDir, { recursive: true });
  lock = await lockDataDir(settings);
  await refuseTakenPort(settings);
  say('Starting Vuka...');
  product = await startProduct(settings, say);
  if (stopping.signal.aborted) return;
  await product.becomeReady(stopping.signal);
  if (stopping.signal.aborted) return;
  if (!settings.isProduction) await seed(product, settings);
  await product.announce();
  if (stopping.signal.aborted) return;
  greet(product, settings);
  compactHeapAfterStart();
}

async function lockDataDir({ dataDir }: Settings): Promise<OwnerLock> {
  return acquireOwnerLock(dataDir).catch((cause: Error) => {
    throw new StartError(
      `Vuka runs already: ${cause.message}.\nStop that run first, or start another one with its own directory and ` +
        'port:\n  VUKA_DATA_DIR=.vuka-2 PORT=3001 npm start',
      { cause },
    );
  });
}

/** Checked first, because the gateway would notice a taken port only after everything else has started. */
function refuseTakenPort({ host, port }: Settings): Promise<void> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, host, port)));
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

function portError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is taken by another program. Stop that program, or start Vuka on another port:\n` +
          `  PORT=${port + 1} npm start`,
      );
    case 'EACCES':
      return new StartError(`This user may not listen on port ${port}. Take one above 1023:\n  PORT=3000 npm start`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `HOST=${host} is not an address of this machine. 127.0.0.1 serves this machine, 0.0.0.0 all.`,
      );
    default:
      return error;
  }
}

async function seed(running: Product, settings: Settings): Promise<void> {
  try {
    await seedDemoData(running, settings);
  } catch (error) {
    if (stopping.signal.aborted) return;
    say(
      `The demo data could not be completed: ${(error as Error).message}\n` +
        'Was this database used with another data directory? Then its PINs belong to other secrets; set ' +
        'VUKA_DATABASE_PREFIX to start with empty databases.',
    );
  }
}

function greet({ url }: Product, settings: Settings): void {
  const seconds = ((Date.now() - startedAtMs) / 1_000).toFixed(1);
  say(`\nVuka is ready (${seconds} s): ${url}\n`);
  if (!settings.isProduction) {
    say('  Demo accounts        PIN');
    for (const { email, pin } of [DEMO_ADMIN, DEMO_APPROVER]) say(`  ${email.padEnd(20)} ${pin}   administrator`);
    for (const { email, pin, country, defaultCurrency } of DEMO_MERCHANTS) {
      say(`  ${email.padEnd(20)} ${pin}   merchant, ${country}, ${defaultCurrency}`);
    }
    say('');
  }
  say(`  API: ${url}/api/docs   Data and logs: ${settings.dataDir}   Ctrl-C stops it.\n`);
}

function stop(): Promise<void> {
  stopping.abort();
  stopped ??= (async () => {
    if (product) say('\nStopping...');
    await product?.stop();
    await lock?.release();
  })();
  return stopped;
}

function stopAndExit(): void {
  if (stopping.signal.aborted) return; // Ctrl-C arrives twice: from the terminal, and passed on by npm
  stopping.abort();
  // While parts are starting there may be nothing to stop yet; then the start itself ends the process.
  started
    .then(() => stop())
    .then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
}

function fail(error: unknown): never {
  console.error(error instanceof StartError ? `\n${error.message}` : error);
  process.exit(1);
}

const started = start().catch(async (error: unknown) => {
  await stop().catch((second: unknown) => console.error(second));
  fail(error);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopAndExit);
process.on('disconnect', stopAndExit);
process.stdout.on('error', () => undefined); // the terminal is closed
process.stderr.on('error', () => undefined);
