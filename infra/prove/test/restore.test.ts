import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ApiClient, order, PIN, registerMerchant, signInAdmin } from '@vuka/local/testing/api-client';
import { readBooked } from '@vuka/local/testing/booked';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { expect, test } from 'vitest';
import { checkBooks } from '#check-books.ts';
import { inject } from '#faults.ts';
import { type Installation, withInstallation } from '#installation.ts';
import { readProviderRecord } from '#provider-record.ts';
import { emptyQueues } from '#queues.ts';

const SETTLE = fileURLToPath(new URL('../../local/src/settle-restored.ts', import.meta.url));
const SENDERS = 4;
const PAUSE_MS = 50;
/** Of the orders between the copy and the restore, those whose clients never got their answer. */
const isRepeated = ({ number }: Sent) => number % 2 === 0;

interface Sent {
  number: number;
  client: ApiClient;
  phone: string;
  body: ReturnType<typeof order>;
  isAccepted: boolean;
}

/** Until there is a clear answer, as the web app does. */
async function send(sent: Sent): Promise<void> {
  const isClear = async () => {
    const answer = await sent.client.post('/api/transactions/create', sent.body).catch(() => undefined);
    sent.isAccepted = answer?.status === 201 || answer?.status === 200;
    return sent.isAccepted;
  };
  await until(isClear, { timeoutMs: 60_000, everyMs: PAUSE_MS, what: `order ${sent.number} to be accepted` });
}

/** Each order to a number of its own, so that what the network paid is known whatever ids it got. */
function sendOrders(clients: readonly ApiClient[]) {
  const orders: Sent[] = [];
  const stopping = new AbortController();
  const sending = Promise.all(
    clients.map(async (client) => {
      while (!stopping.signal.aborted) {
        const number = orders.length;
        const phone = `+2557634${String(number).padStart(3, '0')}00`;
        const body = order({ sourceAmount: '100', targetAmount: '2303', recipientPhone: phone });
        const sent = { number, client, phone, body, isAccepted: false };
        orders.push(sent);
        await send(sent);
        await delay(PAUSE_MS);
      }
    }),
  );
  const accepted = () => orders.filter(({ isAccepted }) => isAccepted);
  return {
    accepted,
    untilMore: (count: number) => {
      const before = accepted().length;
      return until(() => accepted().length >= before + count, { timeoutMs: 60_000, everyMs: 20, what: 'more orders' });
    },
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}

/** As the runbook says, while Vuka is stopped. */
async function settleRestored({ fleet, postgres, broker, provider }: Installation, at: Date): Promise<string> {
  const env = {
    ...process.env,
    ...provider.settings,
    DATABASE_URL: postgres.directUrl,
    AMQP_URL: broker?.directUrl ?? '',
    VUKA_DATABASE_PREFIX: fleet.databasePrefix,
    VUKA_DATA_DIR: fleet.dataDir,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [SETTLE, '--at', at.toISOString()], { env });
  return stdout;
}

async function readOrders(url: string) {
  const books = new pg.Client({ connectionString: url });
  await books.connect();
  const rows = await readBooked(books).finally(() => books.end());
  return new Map(rows.map((row) => [row.client_transaction_id, row]));
}

async function exceptionsOf(admin: ApiClient): Promise<string[]> {
  const { exceptions } = (await admin.get('/api/admin/reconciliation')).body;
  return exceptions
    .filter(({ kind }: { kind: string }) => kind === 'paid_without_order')
    .map(({ payoutId }: { payoutId: string }) => payoutId);
}

test('books set back in the middle of a run pay nothing twice, and name each payment that they no longer know', {
  timeout: 240_000,
}, async () => {
  await withInstallation({ isEmbedded: false, replicas: 1, lengthMs: 0 }, async (installation) => {
    const { fleet, postgres, broker, provider, transfersDatabaseUrl } = installation;
    const admin = await signInAdmin(fleet.address);
    const senders = [];
    while (senders.length < SENDERS) senders.push(await registerMerchant(fleet.address, admin, { KES: 100_000 }));
    const load = sendOrders(senders.map(({ client }) => client));
    await load.untilMore(10);
    // Some payouts are open in the copy: paid, and not known to be.
    await inject(installation, { atMs: 0, lane: 0, kind: 'provider: timeout, paid', draw: 0.9 });
    await inject(installation, { atMs: 0, lane: 0, kind: 'provider: callback lost', draw: 0.9 });
    await load.untilMore(4);
    const at = new Date();
    const early = load.accepted();
    await postgres.keepCopy();
    await load.untilMore(20);
    await load.stop();
    await until(async () => (await readProviderRecord(provider.recordFile)).payments.length > early.length, {
      timeoutMs: 60_000,
      everyMs: 200,
    });
    const known = [...(await readOrders(transfersDatabaseUrl)).values()];
    await fleet.endAll();
    await postgres.goBack();
    await emptyQueues(broker?.managementUrl ?? '');
    expect(await settleRestored(installation, at)).toContain('The books hold');
    const restored = await readOrders(transfersDatabaseUrl);
    const keyOf = ({ body }: Sent) => body.clientTransactionId;
    const lost = load.accepted().filter((sent) => !restored.has(keyOf(sent)));
    expect(early.filter((sent) => !restored.has(keyOf(sent)))).toEqual([]);
    expect(lost.length).toBeGreaterThan(10);

    await fleet.startAll();
    for (const { client, user } of senders) await client.post('/api/login', { username: user.email, pin: PIN });
    await Promise.all(lost.filter(isRepeated).map(send));
    const now = async () => [...(await readOrders(transfersDatabaseUrl)).values()];
    const isOver = async () => (await now()).every(({ status }) => status === 'SETTLED' || status === 'FAILED');
    await until(isOver, { timeoutMs: 120_000, everyMs: 200, what: 'every transfer to end' });

    const { payments } = await readProviderRecord(provider.recordFile);
    const paid = Map.groupBy(payments, ({ msisdn }) => `+${msisdn}`);
    const timesOf = (phone: string) => paid.get(phone)?.length ?? 0;
    const rows = await now();
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'SETTLED'));
    expect(rows.filter(({ recipient_phone: phone }) => timesOf(phone ?? '') !== 1)).toEqual([]);
    expect([...paid].filter(([, times]) => times.length > 1)).toEqual([]);
    const payoutsOf = (sent: Sent) => known.find((row) => row.client_transaction_id === keyOf(sent))?.payouts ?? [];
    const unknown = lost.filter((sent) => !isRepeated(sent) && timesOf(sent.phone) > 0).flatMap(payoutsOf);
    expect(unknown.length).toBeGreaterThan(0);
    expect(await exceptionsOf(await signInAdmin(fleet.address))).toEqual(expect.arrayContaining(unknown));
    const walletDatabaseUrl = transfersDatabaseUrl.replace(/_transfers$/, '_wallet');
    expect(await checkBooks({ transfersDatabaseUrl, walletDatabaseUrl })).toEqual([]);
  });
});
