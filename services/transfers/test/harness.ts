import { randomUUID } from 'node:crypto';
import { type Caller, encodeCaller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { CreateTransfer } from '@vuka/contracts/http/orders';
import { formatMoney } from '@vuka/money';
import { createDatabase, type Database } from '@vuka/service-kit/database';
import { readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import { createMetrics } from '@vuka/service-kit/metrics';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages, type OutboxMessage, type OutboxPack } from '@vuka/service-kit/outbox';
import type { Service } from '@vuka/service-kit/service';
import { merchantCaller } from '@vuka/test-kit/callers';
import { createTestClock } from '@vuka/test-kit/clock';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { until } from '@vuka/test-kit/until';
import { buildApp } from '#app.ts';
import type { Config } from '#config.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { createReceiptCodes } from '#history/receipt-codes.ts';
import type { PayoutReport } from '#payouts/payout-provider.ts';
import { advanceFrom, advanceTransfer } from '#saga/advance-transfer.ts';
import { sweepPayouts, sweepSteps } from '#saga/sweep.ts';
import { buildDeps } from '../src/build-deps.ts';
import { startFakeServices } from './fake-services.ts';
import { createScriptedProvider } from './scripted-provider.ts';

export const RECEIPT_KEY = readKeyring('a receipt key of at least 32 characters');
const logger = createLogger({ service: 'transfers-test', level: 'silent' });

/** Calls that another service makes than the gateway. */
const OF_ADMIN = /^\/internal\/(deposits|payout-totals)/;

/** Transfers on a real database, with neighbours behind HTTP, a scripted provider and a clock set by the test. */
export async function createTransfers(changes: Partial<Config> = {}) {
  const server = await createTestDatabase('transfers');
  const database = createDatabase<Schema>({
    url: server.url,
    service: 'transfers-test',
    logger,
    indexScansOnly: true,
  });
  const { db, pool, close } = database;
  await migrate(db as never, migrations, logger);
  await setDatabaseClock(database);
  const fakes = await startFakeServices();
  const scripted = createScriptedProvider();
  const tokens = testTokens('transfers');
  const clock = createTestClock(new Date());
  const settings = {
    WALLET_URL: `${fakes.address}/wallet`,
    RATES_URL: `${fakes.address}/rates`,
    IDENTITY_URL: `${fakes.address}/identity`,
    VUKA_PAYOUT_GRACE_SECONDS: 900,
    VUKA_PAYOUT_CHECK_SECONDS: 10,
    VUKA_STUCK_AFTER_SECONDS: 900,
    VUKA_STATEMENT_LAG_SECONDS: 3_600,
    VUKA_BANK_LAG_SECONDS: 86_400,
    VUKA_BACKLOG_SECONDS: 1,
    VUKA_BACKLOG_ALWAYS: 10_000,
    ...changes,
  } as Config;
  const metrics = createMetrics('transfers');
  const published: OutboxMessage[] = [];
  const service = {
    db,
    database,
    logger,
    tokens,
    metrics,
    kickRelay: () => undefined,
    publishCommitted: (pack: OutboxPack) => void published.push(...pack.messages),
  } as unknown as Service<Schema>;
  const deps = buildDeps(service, settings, scripted.provider, {
    now: clock.now,
    nowMs: () => clock.now().getTime(),
  });
  const app = buildApp({
    ...deps,
    tokens,
    checks: {},
    receiptCodes: createReceiptCodes(RECEIPT_KEY),
    rememberAccepted: deps.acceptedHere.remember,
    advanceSoon: (transfer) => void advanceFrom(deps, transfer).catch(() => undefined),
  });

  const send = (
    method: 'GET' | 'POST',
    url: string,
    { payload, caller, key }: { payload?: object; caller?: Caller; key?: string } = {},
  ) =>
    askAs(
      OF_ADMIN.test(url) ? 'admin' : 'gateway',
      { app, service: 'transfers' },
      { method, url, payload, caller, key },
    );

  /** How far the process's clock is ahead of the database's, ms. */
  const skew = { ms: 0 };
  /** The database's clock is set by the test too, unless the database is broken. */
  const settleClock = () =>
    pool.query('update test_clock set now = $1', [new Date(clock.now().getTime() - skew.ms)]).then(
      () => undefined,
      () => undefined,
    );

  const transfer = async (id: string) => {
    const row = await db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return row;
  };

  const messagesInOutbox = () => listMessages(db);

  async function sendCallback(reports: PayoutReport[], headers: Record<string, string> = {}) {
    await settleClock();
    const item = {
      provider: 'scripted',
      method: 'POST',
      path: '/api/callbacks/scripted',
      headers,
      bodyBase64: Buffer.from(JSON.stringify(reports)).toString('base64'),
    };
    return send('POST', '/internal/provider-callbacks-batch', { payload: { items: [item] } });
  }

  return {
    db,
    pool,
    metrics,
    deps,
    clock,
    fakes,
    send,
    transfer,
    skew,
    settleClock,
    /** What the service handed to the bus right after its commits; the relay, which publishes the rest, does not run. */
    published,
    ...scripted,
    /** A merchant with this balance. */
    merchant(balanceMinor = 100_000_00n): Caller {
      const userId = randomUUID();
      fakes.balances.set(userId, balanceMinor);
      return { ...merchantCaller, userId };
    },
    async order(caller: Caller, order: Partial<CreateTransfer> = {}) {
      await settleClock();
      const item = {
        caller: encodeCaller(caller),
        order: {
          direction: 'KES_TO_TZS',
          sourceAmount: '1000',
          targetAmount: '23030',
          recipientPhone: '+255763456700',
          clientTransactionId: `CLIENT-${randomUUID()}`,
          ...order,
        },
      };
      const { body } = await send('POST', '/internal/transfers/create-batch', { payload: { items: [item] } });
      return body.results[0];
    },
    /** Executes a transfer as a separate worker does, which knows nothing but its id. */
    async execute(id: string) {
      await settleClock();
      deps.acceptedHere.take(id);
      return advanceTransfer(deps, id);
    },
    /** Executes a transfer in the process that has accepted it. */
    async executeHere(id: string) {
      await settleClock();
      return advanceTransfer(deps, id);
    },
    async sweep() {
      await settleClock();
      await sweepSteps(deps);
      await sweepPayouts(deps);
    },
    payoutOf: (transferId: string) =>
      db.selectFrom('money_transfers').selectAll().where('transaction_id', '=', transferId).executeTakeFirstOrThrow(),
    /** The provider's report of a paid payout. */
    async paidReport(payoutId: string): Promise<PayoutReport> {
      const payout = await db
        .selectFrom('money_transfers')
        .selectAll()
        .where('id', '=', payoutId)
        .executeTakeFirstOrThrow();
      return {
        clientPayoutId: payoutId,
        state: 'completed',
        amount: formatMoney(payout.amount),
        currency: payout.currency,
        msisdn: payout.destination_account,
      };
    },
    callback: (...reports: PayoutReport[]) => sendCallback(reports),
    /** The provider says of a payout that it failed, in a callback and when it is asked. */
    async failedCallback(report: PayoutReport) {
      const failed = { ...report, state: 'failed' as const };
      scripted.script.status = { kind: 'found', report: failed };
      return sendCallback([failed]);
    },
    /** A callback that anyone may have sent. */
    unsignedCallback: (...reports: PayoutReport[]) => sendCallback(reports, { unsigned: 'true' }),
    ended: (id: string) => until(async () => ((await transfer(id)).next_action_at === null ? transfer(id) : null)),
    async lifecycle(id: string) {
      const rows = await db
        .selectFrom('transaction_lifecycle')
        .select('status')
        .where('transaction_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map((row) => row.status);
    },
    messagesInOutbox,
    async messages(subject: string) {
      const messages = await messagesInOutbox();
      return messages.filter(({ envelope }) => envelope.subject === subject).map(({ routingKey }) => routingKey);
    },
    /** The operations of a transfer's recorded calls. The logs keep one of each id. */
    async callsOf(transferId: string) {
      const messages = await messagesInOutbox();
      const calls = messages.flatMap(({ envelope }) => (envelope.data as { calls?: IntegrationLog[] }).calls ?? []);
      const ofTransfer = calls.filter(({ transactionId }) => transactionId === transferId);
      return [...new Map(ofTransfer.map((call) => [call.id, call.operation])).values()];
    },
    async stop() {
      await app.close();
      await deps.clients.stop();
      await fakes.stop();
      await close();
      await server.drop();
    },
  };
}

async function setDatabaseClock({ pool }: Pick<Database<Schema>, 'pool'>): Promise<void> {
  await pool.query('create table test_clock as select now() as now');
  await pool.query(`
    create or replace function books_now() returns timestamptz language sql volatile as $$ select now from test_clock $$`);
}

export type Transfers = Awaited<ReturnType<typeof createTransfers>>;

const HOUR_MS = 3_600_000;

/** At noon in East Africa, so that a few hours later is still the same day, with an owner. */
export async function createTransfersAtNoon() {
  const transfers = await createTransfers();
  const untilNoonMs = 9 * HOUR_MS - (transfers.clock.now().getTime() % (24 * HOUR_MS));
  transfers.clock.advance(untilNoonMs + 24 * HOUR_MS);
  const admin = { ...transfers.merchant(), isAdmin: true, role: 'owner' as const, adminId: 'ADM1', name: 'Neema' };
  return { transfers, admin };
}
