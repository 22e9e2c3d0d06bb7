import { dayOf } from '@vuka/contracts/http/days';
import { parseMoney } from '@vuka/money';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import type { Schema } from '@vuka/transfers/db/schema';
import { createPawapayProvider } from '@vuka/transfers/payouts/pawapay/pawapay-provider';
import { compareDayNow } from '@vuka/transfers/reconciliation/reconcile-day';
import type pg from 'pg';
import { loadSecrets } from '#secrets.ts';
import type { Settings } from '#settings.ts';
import { type LaterFact, withDatabase } from './later-facts.ts';

const DAY_MS = 24 * 3_600_000;
const OLDEST_DAYS = 30;

/** A server as its superuser, and the moment that its books are of. */
export interface RestoredBooks {
  serverUrl: string;
  databasePrefix: string;
  since: Date;
}

/**
 * Compares each day since the restored moment with the statement of the provider, as the daily reconciliation does:
 * what it paid and the restored books do not know becomes an exception for a person. No money moves.
 */
export async function askProvider(
  restored: RestoredBooks,
  settings: Settings,
  say: (line: string) => void,
): Promise<LaterFact[]> {
  if (!settings.providerUrl) {
    say('Payouts go to the simulator, whose books were restored with ours: there is no provider to ask.');
    return [];
  }
  const startedAt = new Date();
  // A run that the backup saw under way has no process any more.
  await inTransfers(restored, (client) =>
    client.query(
      `update reconciliations set state = 'failed', error = 'it was interrupted', finished_at = now() where state = 'running'`,
    ),
  );
  await compareDays(restored, settings, say);
  return readExceptions(restored, startedAt);
}

const inTransfers = <T>({ serverUrl, databasePrefix }: RestoredBooks, use: (client: pg.Client) => Promise<T>) =>
  withDatabase(serverUrl, `${databasePrefix}_transfers`, use);

async function readExceptions(restored: RestoredBooks, since: Date): Promise<LaterFact[]> {
  const { rows } = await inTransfers(restored, (client) =>
    client.query<{ kind: string; id: string; theirs: Record<string, string> | null }>(
      `select kind, money_transfer_id as id, details -> 'theirs' as theirs from payout_exceptions
      where is_from_statement and created_at >= $1 order by created_at`,
      [since],
    ),
  );
  return rows.map(({ kind, id, theirs }) => ({
    kind: `provider: ${kind}`,
    id,
    at: new Date(theirs?.recordedAt ?? since),
    amountMinor: theirs?.amount ? parseMoney(theirs.amount) : null,
    currency: theirs?.currency ?? '',
    statusThen: 'on the statement',
    statusNow: '',
    detail: `to ${theirs?.msisdn ?? 'nobody'}`,
  }));
}

async function compareDays(restored: RestoredBooks, settings: Settings, say: (line: string) => void): Promise<void> {
  const url = new URL(restored.serverUrl);
  url.pathname = `/${restored.databasePrefix}_transfers`;
  const logger = createLogger({ service: 'restore', level: 'silent' });
  const database = createDatabase<Schema>({ url: url.toString(), service: 'restore', logger });
  const provider = createPawapayProvider({
    baseUrl: settings.providerUrl ?? '',
    token: (await loadSecrets(settings.dataDir, [], settings.env)).providerToken,
    product: 'payout',
    callbackAuthority: undefined,
    signedCallbacks: true,
  });
  try {
    const now = Date.now();
    const first = Math.max(restored.since.getTime(), now - OLDEST_DAYS * DAY_MS);
    const lag = settings.env.VUKA_STATEMENT_LAG_SECONDS || '3600';
    const deps = { db: database.db, provider, logger, now: () => new Date(), statementLagMs: Number(lag) * 1_000 };
    for (let at = first; dayOf(at) <= dayOf(now); at += DAY_MS) {
      const run = await compareDayNow({ ...deps, kickRelay: () => undefined }, dayOf(at), 'npm run restore');
      say(`Reconciliation of ${dayOf(at)}: ${run.error ?? `${run.lines} payments, ${run.differences} differences`}`);
    }
  } catch (error) {
    say(`The provider could not be asked (${(error as Error).message}): reconcile each day in the admin area.`);
  } finally {
    await provider.close();
    await database.close();
  }
}
