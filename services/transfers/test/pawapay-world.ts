import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { createPawapayProvider, type PawapayOptions } from '../src/payouts/pawapay/pawapay-provider.ts';
import type { CallbackRequest, CallbackResult, PayoutProvider, ProviderCall } from '../src/payouts/payout-provider.ts';

const SIMULATOR = fileURLToPath(new URL('../../../infra/payout-simulator/src/main.ts', import.meta.url));
export const TOKEN = 'a-token-that-nobody-may-read';
const CALLBACK_PATH = '/api/callbacks/pawapay';

interface SeenCallback {
  request: CallbackRequest;
  result: CallbackResult;
  body: string;
}

/** The simulator in its own process, the adapter that calls it, and a server for its callbacks. */
export async function createPawapayWorld() {
  const database = await createTestDatabase('pawapay');
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const calls: ProviderCall[] = [];
  const callbacks: SeenCallback[] = [];
  const providers: PayoutProvider[] = [];
  let child: ChildProcess | undefined;

  const build = (options: Partial<PawapayOptions> = {}) => {
    const provider = createPawapayProvider({
      baseUrl,
      token: TOKEN,
      product: 'payout',
      callbackAuthority: authority,
      signedCallbacks: true,
      timeoutMs: 10_000,
      ...options,
    });
    providers.push(provider);
    return provider;
  };

  const door = createServer((request, response) => {
    void (async () => {
      const rawBody = await readBody(request);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, text]) => [name, String(text)]));
      const arrived = { method: request.method ?? '', path: request.url ?? '', headers, rawBody };
      const result = await provider.readCallback(arrived, (call) => calls.push(call));
      callbacks.push({ request: arrived, result, body: rawBody.toString() });
      response.writeHead(result.answer.status).end();
    })();
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const authority = `127.0.0.1:${(door.address() as AddressInfo).port}`;
  const provider = build();

  async function start() {
    child = spawn(process.execPath, [SIMULATOR], {
      stdio: 'ignore',
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: database.url,
        SIMULATOR_DELAY_MS: '0',
        SIMULATOR_TOKEN: TOKEN,
        SIMULATOR_CALLBACK_URL: `http://${authority}${CALLBACK_PATH}`,
        LOG_LEVEL: 'silent',
      },
    });
    await until(async () => (await fetch(`${baseUrl}/health/ready`)).ok, { timeoutMs: 20_000, what: 'the simulator' });
  }
  await start();

  return {
    baseUrl,
    calls,
    callbacks,
    provider,
    build,
    start,
    async kill() {
      const dead = child && once(child, 'exit');
      child?.kill('SIGKILL');
      await dead;
    },
    /** Makes the simulator act out a scenario. */
    async scenario(id: string, effect: string, params: Record<string, unknown> = {}) {
      const response = await fetch(`${baseUrl}/sim/scenarios`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ match: { id }, effect, params }),
      });
      if (response.status !== 201) throw new Error(await response.text());
    },
    async ledgerOf(id: string) {
      const response = await fetch(`${baseUrl}/sim/ledger?limit=10000`);
      const { entries } = (await response.json()) as { entries: { id: string }[] };
      return entries.filter((entry) => entry.id === id);
    },
    resultsFor: (id: string) => callbacks.filter(({ body }) => body.includes(id)).map(({ result }) => result),
    async close() {
      const dead = child && once(child, 'exit');
      child?.kill('SIGTERM');
      await dead;
      await Promise.all(providers.map((each) => each.close()));
      door.close();
      door.closeAllConnections();
      await database.drop();
    },
  };
}
export type PawapayWorld = Awaited<ReturnType<typeof createPawapayWorld>>;

export function payoutTo(provider: PayoutProvider, msisdn = '255763000000', amount = '1500.00') {
  const id = randomUUID();
  const transferId = randomUUID();
  return { id, body: provider.prepare({ clientPayoutId: id, amount, currency: 'TZS', msisdn, transferId }) };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
