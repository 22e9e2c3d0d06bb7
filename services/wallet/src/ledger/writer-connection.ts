import { acceptsWrites, isDatabaseUnavailable, typeParsers } from '@vuka/service-kit/database';
import pg from 'pg';
import type { AccountDirectory } from './ledger.store.ts';

/** Identifies the active writer's lease. Any number that nothing else in the database uses. */
const LEASE_KEY = 7_204_115;
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const GOODBYE_MS = 100;

// The writer's statements are prepared once, possibly when the tables are empty, and kept for the life of the
// connection; without these options they would scan whole tables for ever.
const PLAN_OPTIONS =
  '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off' +
  ' -c plan_cache_mode=force_generic_plan';

export interface WriterConnection {
  client: pg.Client;
  /** Per connection: a server that lost commits or was restored may have given the ids to other accounts. */
  directory: AccountDirectory;
  isLost(): boolean;
  /** True while this connection holds the active writer's lease. Requests the lease if it does not. */
  takeLease(): Promise<boolean>;
  destroy(): void;
}

/** Opens the writer's dedicated connection. Throws when the server is unavailable or accepts no writes. */
export async function connectWriter(url: string, onLost: () => void): Promise<WriterConnection> {
  const options: pg.ClientConfig & { pipeline: boolean } = {
    connectionString: url,
    application_name: 'wallet-writer',
    pipeline: true,
    types: typeParsers,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    options: PLAN_OPTIONS,
  };
  const client = new pg.Client(options);
  let isLost = false;
  let hasLease = false;
  function lose() {
    if (isLost) return;
    isLost = true;
    onLost();
  }
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  await mustAcceptWrites(client);
  return {
    client,
    directory: new Map(),
    isLost: () => isLost,
    async takeLease() {
      if (isLost) return false;
      if (hasLease) return true;
      try {
        const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
          LEASE_KEY,
        ]);
        hasLease = rows[0]?.taken === true;
        return hasLease && !isLost;
      } catch {
        return false;
      }
    },
    destroy() {
      lose();
      client.end().catch(() => undefined);
      // A graceful close waits for pending answers, which may never come.
      setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS).unref();
    },
  };
}

/** Checked while connecting, where attempts are paced, rather than by the operations of a batch. */
async function mustAcceptWrites(client: pg.Client): Promise<void> {
  if (await acceptsWrites(client)) return;
  await client.end();
  throw new Error('the database accepts no writes');
}

/** Conflicts with another writer, or timeouts: the same batch may succeed when run again. */
const TRANSIENT = new Set(['23505', '40001', '40P01', '55P03', '57014', 'VK001']);

/** Leaves out "read-only": another server may answer at the address by now, so the connection is given up. */
const REFUSING = /^(53(?!300|400)|58)/;

export type BatchFailure = 'lost' | 'transient' | 'refusing' | 'faulty';

/**
 * Why a batch failed. `lost`: the connection is gone and the outcome unknown. `transient`: run it again. `refusing`:
 * the server accepts no writes at all (its disk is full). `faulty`: an operation in the batch.
 */
export function classifyFailure(error: unknown, connection: Pick<WriterConnection, 'isLost'>): BatchFailure {
  if (connection.isLost()) return 'lost';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TRANSIENT.has(code)) return 'transient';
  if (REFUSING.test(code)) return 'refusing';
  return isDatabaseUnavailable(error) ? 'lost' : 'faulty';
}
