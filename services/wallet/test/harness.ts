import { randomUUID } from 'node:crypto';
import type { CaptureCommand, HoldCommand, WalletCommand, WalletResult } from '@vuka/contracts/internal/wallet';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { createLedgerAuditor } from '#audit/audit-ledger.ts';
import { migrateWallet } from '#db/migrate-wallet.ts';
import type { WalletSchema } from '#db/schema.ts';
import { createLedgerWriter, type LedgerWriter, type LedgerWriterOptions } from '#ledger/ledger-writer.ts';
import { toOperation } from '#ledger/operation.ts';

export const logger = createLogger({ service: 'wallet-test', level: 'silent' });
const adminId = '018f0000-0000-7000-8000-0000000000aa';

/** A migrated ledger on a real server, with as many writers as the test needs. */
export async function createLedgerHarness(name: string) {
  const database = await createTestDatabase(name);
  await migrateWallet({ url: database.url, runtimeUrl: database.url, logger });
  const { db, pool, close } = createDatabase<WalletSchema>({ url: database.url, service: 'wallet-test', logger });
  const writers: LedgerWriter[] = [];
  const auditor = createLedgerAuditor({ db, logger, fullEveryMs: 0, journalsAtOnce: 2 });

  return {
    url: database.url,
    db,
    pool,
    auditor,
    writer(options: Partial<LedgerWriterOptions> = {}) {
      const writer = createLedgerWriter({
        url: database.url,
        logger,
        ...options,
        limits: { maxAgeMs: 20_000, ...options.limits },
      });
      writers.push(writer);
      writer.start();
      return writer;
    },
    /** The ids of violated invariants. Messages are never published here, since no relay runs. */
    async brokenInvariants() {
      const { invariants } = await auditor.audit();
      return invariants.filter(({ id, violations }) => id !== 'I10' && violations > 0).map(({ id }) => id);
    },
    async count(table: 'journals' | 'ledger_entries' | 'holds' | 'outbox') {
      const { rows } = await pool.query<{ count: bigint }>(`select count(*) from ${table}`);
      return Number(rows[0]?.count);
    },
    async wallet(userId: string, currency = 'KES') {
      const { rows } = await pool.query<{ posted_minor: bigint; held_minor: bigint }>(
        'select posted_minor, held_minor from accounts where code = $1',
        [`wallet:${userId}:${currency}`],
      );
      return rows[0] ?? { posted_minor: 0n, held_minor: 0n };
    },
    async stop() {
      await Promise.all(writers.map((writer) => writer.stop()));
      await close();
      await database.drop();
    },
  };
}
export type LedgerHarness = Awaited<ReturnType<typeof createLedgerHarness>>;

export function submit(writer: LedgerWriter, command: WalletCommand): Promise<WalletResult> {
  return writer.submit(toOperation(command));
}

export function depositFor(userId: string, amount: string, currency: 'KES' | 'TZS' | 'USD' = 'KES'): WalletCommand {
  const transferId = randomUUID();
  return {
    kind: 'deposit',
    key: `${transferId}:deposit`,
    transferId,
    userId,
    currency,
    amount,
    adminId,
    description: '',
  };
}

export function holdFor(userId: string, amount: string, transferId: string = randomUUID()): HoldCommand {
  return { kind: 'hold', key: `${transferId}:hold`, transferId, userId, currency: 'KES', amount };
}

/** A capture of the whole hold, converted at 20, paid to mobile money. */
export function captureOf(hold: HoldCommand): CaptureCommand {
  const { transferId, userId, amount } = hold;
  const target = { currency: 'TZS', amount: '10.00', midAmount: '20.00' } as const;
  return {
    kind: 'capture',
    key: `${transferId}:capture`,
    holdKey: hold.key,
    transferId,
    userId,
    currency: 'KES',
    amount,
    fee: '0.00',
    target,
    destination: { kind: 'payout' },
  };
}

export function releaseOf(hold: HoldCommand): WalletCommand {
  const { transferId, userId } = hold;
  return {
    kind: 'release',
    key: `${transferId}:release`,
    holdKey: hold.key,
    transferId,
    userId,
    currency: 'KES',
    reason: 'refused',
  };
}

export function tally(results: readonly WalletResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const suffix = result.outcome === 'applied' ? (result.replayed ? ' again' : '') : ` ${result.reason}`;
    const name = `${result.outcome}${suffix}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
