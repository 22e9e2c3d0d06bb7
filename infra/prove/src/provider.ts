import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { openLog } from '@vuka/local/logs';
import { supervise } from '@vuka/local/supervised';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { type BreakablePostgres, startPostgres } from './servers.ts';

const SIMULATOR = fileURLToPath(new URL('../../payout-simulator/src/main.ts', import.meta.url));
const RECORDER = fileURLToPath(new URL('./recorder.ts', import.meta.url));
const TOKEN = 'a-token-of-the-proof';
const READY_MS = 60_000;
const STOPPED_WITHIN_MS = 2_000;

/** A provider that shares nothing with the product: its own processes, Postgres and clock. */
export interface Provider {
  /** The settings of a product that pays through it. */
  settings: Record<string, string>;
  /** The simulator's own port, past the recorder. */
  port: number;
  postgres: BreakablePostgres;
  /** The proxy for requests to the recorder. */
  requests: TcpProxy;
  /** The proxy for callbacks to the gateways. */
  callbacks: TcpProxy;
  /** The recorded traffic with the product, see `provider-record.ts`. */
  recordFile: string;
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** The simulator, and a recorder between it and a gateway on this port. */
export async function startProvider(gatewayPort: number): Promise<Provider> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-provider-'));
  const recordFile = join(dir, 'record.ndjson');
  const postgres = await startPostgres();
  const callbacks = await createTcpProxy({ host: '127.0.0.1', port: gatewayPort });
  const findPorts = [findFreePort(), findFreePort(), findFreePort(), findFreePort()] as const;
  const [port, providerPort, callbackPort, paymentsPort] = await Promise.all(findPorts);
  const requests = await createTcpProxy({ host: '127.0.0.1', port: providerPort });
  const log = await openLog(dir, 'payout-simulator', () => undefined);
  const recorder = spawn(process.execPath, [RECORDER], {
    env: {
      ...process.env,
      RECORD_FILE: recordFile,
      PROVIDER_PORT: String(providerPort),
      PROVIDER_URL: at(port),
      CALLBACK_PORT: String(callbackPort),
      CALLBACK_URL: at(callbacks.port),
      PAYMENTS_PORT: String(paymentsPort),
    },
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
  });
  const env = {
    DATABASE_URL: postgres.url,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    SIMULATOR_DELAY_MS: '300',
    SIMULATOR_TOKEN: TOKEN,
    SIMULATOR_CALLBACK_URL: `${at(callbackPort)}/api/callbacks/pawapay`,
    SIMULATOR_PAYMENTS_URL: at(paymentsPort),
  };
  const simulator = supervise({
    plan: { name: 'payout-simulator', script: SIMULATOR, env, isHot: false, stopsAt: 1, port },
    env: process.env,
    log,
    onStart: () => undefined,
    onEnd: () => undefined,
    onHung: () => undefined,
  });
  const isReady = async () => (await fetch(`${at(port)}/health/ready`)).ok;
  await until(isReady, { timeoutMs: READY_MS, everyMs: 100, what: 'the provider to be ready' });
  return {
    settings: {
      PAWAPAY_URL: at(requests.port),
      PAWAPAY_TOKEN: TOKEN,
      PAWAPAY_CALLBACK_AUTHORITY: `127.0.0.1:${callbackPort}`,
      VUKA_STATEMENT_LAG_SECONDS: '0',
      // The proof's bank statement is always current, too: administrators take over each other's payments.
      VUKA_BANK_LAG_SECONDS: '1',
    },
    port,
    postgres,
    requests,
    callbacks,
    recordFile,
    pid: simulator.pid,
    async stop() {
      await simulator.stop(STOPPED_WITHIN_MS);
      if (recorder.exitCode === null && recorder.kill()) await once(recorder, 'exit');
      await requests.close();
      await callbacks.close();
      await log.close();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const at = (port: number) => `http://127.0.0.1:${port}`;
