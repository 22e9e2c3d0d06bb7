import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ApiClient } from '@vuka/local/testing/api-client';
import { type Booked, readBooked } from '@vuka/local/testing/booked';
import pg from 'pg';
import type { Installation } from './installation.ts';
import { emptyQueues } from './queues.ts';

const SETTLE = fileURLToPath(new URL('../../local/src/settle-restored.ts', import.meta.url));

/** The runbook's settle step for books that may lack commits since a moment, with Vuka stopped. Returns the output. */
export async function settleLost({ fleet, postgres, broker, provider }: Installation, since: Date): Promise<string> {
  if (broker) await emptyQueues(broker.managementUrl);
  const env = {
    ...process.env,
    ...provider.settings,
    DATABASE_URL: postgres.directUrl,
    AMQP_URL: broker?.directUrl ?? '',
    VUKA_DATABASE_PREFIX: fleet.databasePrefix,
    VUKA_DATA_DIR: fleet.dataDir,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [SETTLE, '--at', since.toISOString()], { env });
  return stdout;
}

/** The booked orders by client transaction id. */
export async function readOrders(databaseUrl: string): Promise<Map<string, Booked>> {
  const books = new pg.Client({ connectionString: databaseUrl });
  await books.connect();
  const rows = await readBooked(books).finally(() => books.end());
  return new Map(rows.map((row) => [row.client_transaction_id, row]));
}

/** The payouts that the reconciliation found paid without an order. */
export async function readUnknownPayments(admin: ApiClient): Promise<string[]> {
  const { exceptions } = (await admin.get('/api/admin/reconciliation')).body;
  return exceptions
    .filter(({ kind }: { kind: string }) => kind === 'paid_without_order')
    .map(({ payoutId }: { payoutId: string }) => payoutId);
}
