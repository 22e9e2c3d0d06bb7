import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProduct } from './product.ts';

/**
 * Read times are only meaningful on an otherwise idle machine, and are asserted when a duration is given:
 * HOSTILE_SECONDS=30 npx vitest run --project product infra/local/test/hostile-callbacks.test.ts
 */
const SECONDS = Number(process.env.HOSTILE_SECONDS ?? 6);
const CALLBACKS = '/api/callbacks/pawapay';

let product: RunningProduct;
let amina: ApiClient;
let readsOf: ApiClient;

/** Inquiries begin after the end of the test, so every settlement here is by callback. */
beforeAll(async () => {
  product = await startProduct({
    VUKA_RATE_LIMIT_FACTOR: '1000',
    VUKA_PAYOUT_CHECK_SECONDS: '600',
    SIMULATOR_DELAY_MS: '200',
  });
  const admin = await signInAdmin(product.address);
  amina = (await registerMerchant(product.address, admin)).client;
  readsOf = (await registerMerchant(product.address, admin)).client;
}, 120_000);
afterAll(() => product?.stop());

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const COVERED = '("@method" "@authority" "@path" "content-digest")';

/**
 * Requests of an attacker without a key: bodies of 60 KB, 15 KB of headers of three kinds, and nearly correct ones.
 */
const HOSTILE: (() => { headers: Record<string, string>; body: string })[] = [
  () => ({ headers: {}, body: 'x'.repeat(60_000) }),
  () => ({ headers: { 'signature-input': 'a'.repeat(15_000), signature: 'sig-pp=:AA:' }, body: '{}' }),
  () => ({ headers: {}, body: `{"payoutId":"${'['.repeat(60_000)}` }),
  () => ({ headers: { 'signature-input': 'a=('.repeat(5_000), signature: 'sig-pp=:AA:' }, body: '{}' }),
  () => ({ headers: {}, body: 'x'.repeat(16_000) }),
  () => ({ headers: { 'signature-input': `a=()${';a=b'.repeat(3_700)}"`, signature: 'a=:AA:' }, body: '{}' }),
  () => ({
    headers: {
      'signature-input': `sig-pp=${COVERED};alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=${nowSeconds()}`,
      signature: 'sig-pp=:AAAA:',
      'content-digest': 'sha-512=:AAAA:',
    },
    body: 'x'.repeat(16_000),
  }),
];

/** Sends fifty hostile callbacks per second, without waiting for answers, and counts the answers. */
function startFlood() {
  const answers = new Map<string, number>();
  const note = (answer: string) => void answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const stopped = new AbortController();
  let sent = 0;
  const timer = setInterval(() => {
    const { headers, body } = HOSTILE[sent++ % HOSTILE.length]?.() ?? { headers: {}, body: '' };
    fetch(product.address + CALLBACKS, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: stopped.signal,
    })
      .then(async (response) => {
        await response.arrayBuffer();
        note(String(response.status));
      })
      // A body refused by its Content-Length is aborted while it is being sent.
      .catch(() => note('cut off'));
  }, 20);
  return {
    answers,
    stop() {
      clearInterval(timer);
      stopped.abort();
    },
  };
}

/** Twenty reads per second; returns the duration of each, ms, sorted. */
async function timeReads(seconds: number): Promise<number[]> {
  const times: number[] = [];
  const reads: Promise<void>[] = [];
  for (let read = 0; read < seconds * 20; read += 1) {
    const startedMs = performance.now();
    const path = read % 2 === 0 ? '/api/balances' : '/api/transactions';
    reads.push(
      readsOf.get(path).then(({ status }) => {
        expect(status).toBe(200);
        times.push(performance.now() - startedMs);
      }),
    );
    await delay(50);
  }
  await Promise.all(reads);
  return times.sort((a, b) => a - b);
}

async function orderUntil(signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  while (!signal.aborted) {
    const { status, body } = await amina.post(
      '/api/transactions/create',
      order({ sourceAmount: '10', targetAmount: '230' }),
    );
    expect(status).toBe(201);
    ids.push(body.transaction.id);
    await delay(500);
  }
  return ids;
}

/** Processor time of the two processes that check callbacks, ms: independent of other load on the machine. */
async function processorMs(): Promise<number> {
  const { metricsUrl, services } = await product.run();
  const read = async (address: string) => {
    const text = await (await fetch(`${address}/metrics`)).text();
    return Number(/^process_cpu_seconds_total(?:\{.*\})? (\S+)$/m.exec(text)?.[1]) * 1_000;
  };
  const [gateway = 0, transfers = 0] = await Promise.all(
    [metricsUrl, `http://127.0.0.1:${services.transfers?.port}`].map(read),
  );
  return gateway + transfers;
}

const p99 = (sorted: number[]) => Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);

async function warnings(): Promise<number> {
  const log = await readFile(join(product.dataDir, 'logs/transfers.log'), 'utf8');
  return log.split('\n').filter((line) => line.includes('callbacks were refused')).length;
}

test('a flood of hostile callbacks delays no reads, and the provider’s callbacks from the same address are accepted', async () => {
  const { pid } = (await product.run()).services.gateway ?? {};
  await timeReads(3);
  const beforeCalm = await processorMs();
  const calm = p99(await timeReads(SECONDS));
  const calmMs = (await processorMs()) - beforeCalm;
  const flood = startFlood();
  const stopped = new AbortController();
  const ordering = orderUntil(stopped.signal);
  const beforeFlood = await processorMs();
  const times = await timeReads(SECONDS);
  const floodMs = (await processorMs()) - beforeFlood;
  const judged = [...flood.answers.values()].reduce((sum, count) => sum + count, 0);
  const eachMs = (floodMs - calmMs) / judged;
  stopped.abort();
  const ids = await ordering;
  const isSettled = async (id: string) =>
    (await amina.get(`/api/transactions/${id}`)).body.transaction.status === 'SETTLED';
  for (const id of ids)
    await until(() => isSettled(id), { timeoutMs: 30_000, everyMs: 100, what: 'a transfer to settle' });
  flood.stop();
  const answers = Object.fromEntries(flood.answers);
  console.log({ seconds: SECONDS, calm, p99: p99(times), eachMs, settled: ids.length, answers });
  // Including orders made in the meantime.
  expect(eachMs).toBeLessThan(10);
  if (process.env.HOSTILE_SECONDS) expect(p99(times)).toBeLessThan(100);
  expect(
    Object.keys(answers)
      .sort()
      .filter((answer) => !['401', '413', '429', 'cut off'].includes(answer)),
  ).toEqual([]);
  expect(answers['401']).toBeGreaterThan(20);
  expect(await warnings()).toBeLessThanOrEqual(2 + (SECONDS + 30) / 10);
  expect((await product.run()).services.gateway?.pid).toBe(pid);
}, 200_000);
