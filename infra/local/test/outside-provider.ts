import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { ROOT } from '#start-settings.ts';

export interface OutsideProvider {
  port: number;
  /** The settings of a product whose gateway listens on this port. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

const TOKEN = 'a-token-of-the-test';

/** A provider with its own database, so that its books are not restored with the product's. */
export async function startOutsideProvider(gatewayPort: number): Promise<OutsideProvider> {
  const [database, port] = await Promise.all([createTestDatabase('provider'), findFreePort()]);
  const child = spawn(process.execPath, [join(ROOT, 'infra/payout-simulator/src/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: String(port),
      LOG_LEVEL: 'silent',
      SIMULATOR_DELAY_MS: '200',
      SIMULATOR_TOKEN: TOKEN,
      SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${gatewayPort}/api/callbacks/pawapay`,
    },
    stdio: 'ignore',
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, { timeoutMs: 60_000, everyMs: 100, what: 'the provider to be ready' });
  return {
    port,
    settings: {
      PAWAPAY_URL: `http://127.0.0.1:${port}`,
      PAWAPAY_TOKEN: TOKEN,
      PAWAPAY_CALLBACK_AUTHORITY: `127.0.0.1:${gatewayPort}`,
      VUKA_STATEMENT_LAG_SECONDS: '0',
      VUKA_PAYOUT_GRACE_SECONDS: '2',
      VUKA_PAYOUT_CHECK_SECONDS: '1',
    },
    async stop() {
      child.kill('SIGKILL');
      await database.drop();
    },
  };
}
