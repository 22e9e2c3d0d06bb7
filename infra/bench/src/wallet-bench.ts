import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WalletCommand, WalletResult } from '@vuka/contracts/internal/wallet';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { RATED } from '@vuka/money/directions';
import { createLogger } from '@vuka/service-kit/logger';
import { createLedgerWriter, type LedgerWriter } from '@vuka/wallet/ledger-writer';
import { migrateWallet } from '@vuka/wallet/migrate-wallet';
import { toOperation } from '@vuka/wallet/operation';
import { percentile } from './percentile.ts';

export interface WalletBenchRow {
  clients: number;
  /** Hold and capture pairs; the client waits for a commit for each of the two. */
  pairsPerSecond: number;
  /** The latency of one operation, ms. */
  p50Ms: number;
  p99Ms: number;
  /** Operations that were not applied, deliberately or otherwise. */
  rejected: number;
  failed: number;
}

const CLIENTS = [1, 8, 64, 256];
const WALLETS = 10_000;
const WARM_UP_MS = 2_000;

/**
 * Hold and capture pairs through the ledger writer, without HTTP: 10,000 funded wallets, random conversions, a closed
 * loop. `databaseUrl` names an empty database, which is filled.
 */
export async function benchWallet(options: { databaseUrl: string; seconds: number }): Promise<WalletBenchRow[]> {
  const { databaseUrl, seconds } = options;
  const logger = createLogger({ service: 'wallet-bench', level: 'warn' });
  await migrateWallet({ url: databaseUrl, runtimeUrl: databaseUrl, logger });
  const writer = createLedgerWriter({ url: databaseUrl, logger, limits: { maxAgeMs: 10_000 } });
  writer.start();
  const users = Array.from({ length: WALLETS }, () => randomUUID());
  await fund(writer, users);
  await runClients(writer, users, { clients: 64, durationMs: WARM_UP_MS });
  const rows: WalletBenchRow[] = [];
  for (const clients of CLIENTS) rows.push(await runClients(writer, users, { clients, durationMs: seconds * 1_000 }));
  await writer.stop();
  return rows;
}

async function fund(writer: LedgerWriter, users: string[]) {
  const deposits = users.flatMap((userId) =>
    WALLET_CURRENCIES.map(
      (currency): WalletCommand => ({
        kind: 'deposit',
        key: `${userId}:${currency}`,
        transferId: randomUUID(),
        userId,
        currency,
        amount: '1000000.00',
        adminId: userId,
        description: 'bench',
      }),
    ),
  );
  for (let start = 0; start < deposits.length; start += 500) {
    const results = await Promise.all(
      deposits.slice(start, start + 500).map((each) => writer.submit(toOperation(each))),
    );
    if (results.some((result) => result.outcome !== 'applied')) throw new Error('the wallets could not be funded');
  }
}

async function runClients(
  writer: LedgerWriter,
  users: string[],
  load: { clients: number; durationMs: number },
): Promise<WalletBenchRow> {
  const latenciesMs: number[] = [];
  const outcomes: Record<WalletResult['outcome'], number> = { applied: 0, rejected: 0, failed: 0 };
  let pairs = 0;
  let isOver = false;

  async function timed(command: WalletCommand) {
    const startedMs = performance.now();
    const { outcome } = await writer.submit(toOperation(command));
    latenciesMs.push(performance.now() - startedMs);
    outcomes[outcome] += 1;
    return outcome === 'applied';
  }

  async function client() {
    while (!isOver) {
      const { hold, capture } = randomTransfer(users);
      if ((await timed(hold)) && (await timed(capture))) pairs += 1;
    }
  }

  const startedMs = performance.now();
  const running = Array.from({ length: load.clients }, client);
  await delay(load.durationMs);
  isOver = true;
  await Promise.all(running);
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;
  latenciesMs.sort((a, b) => a - b);
  return {
    clients: load.clients,
    pairsPerSecond: Math.round(pairs / elapsedSeconds),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    rejected: outcomes.rejected,
    failed: outcomes.failed,
  };
}

/** A conversion to mobile money; one in fifty exceeds every wallet's balance. */
function randomTransfer(users: string[]): { hold: WalletCommand; capture: WalletCommand } {
  const transferId = randomUUID();
  const userId = users[Math.floor(Math.random() * users.length)] ?? '';
  const isForward = Math.random() < 0.5;
  const currency = isForward ? RATED.source : RATED.target;
  const amount = Math.random() < 0.02 ? '9000000.00' : '101.00';
  const base = { transferId, userId, currency, amount };
  return {
    hold: { kind: 'hold', key: `${transferId}:hold`, ...base },
    capture: {
      kind: 'capture',
      key: `${transferId}:capture`,
      holdKey: `${transferId}:hold`,
      ...base,
      fee: '1.00',
      target: isForward
        ? { currency: RATED.target, amount: '2303.00', midAmount: '2350.00' }
        : { currency: RATED.source, amount: '4.17', midAmount: '4.26' },
      destination: { kind: 'payout' },
    },
  };
}
