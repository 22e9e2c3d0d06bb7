import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { claimInbox } from '@vuka/service-kit/inbox';
import { type Kysely, sql, type Transaction } from 'kysely';
import { ensurePartitions } from '#db/partitions.ts';
import type { Db, LogRow, Schema } from '#db/schema.ts';
import type { SealedBodies } from './sealed-bodies.ts';

const CONSUMER = 'integration-log.calls';

/** The calls of one message, and further writes for the same transaction. */
export interface RecordedCalls {
  messageId: string;
  calls: IntegrationLog[];
  alongside?: (trx: Transaction<Schema>) => Promise<void>;
}

export type LogWriter = (messages: RecordedCalls[]) => Promise<undefined[]>;

/** Writes messages in one commit, each at most once. */
export function createLogWriter(db: Db, sealed: SealedBodies): LogWriter {
  const knownMonths = new Set<string>();
  return async (messages) => {
    const moments = messages.flatMap(({ calls }) => calls.map(({ timestamp }) => new Date(timestamp)));
    await ensurePartitions(db, moments, knownMonths);
    await db.transaction().execute(async (trx) => {
      const ids = messages.map(({ messageId }) => messageId);
      const fresh = await claimInbox(trx, CONSUMER, ids);
      const written = messages.filter(({ messageId }) => fresh.has(messageId));
      await insertLogs(
        trx,
        sealed,
        written.flatMap(({ calls }) => calls),
      );
      for (const { alongside } of written) await alongside?.(trx);
    });
    return messages.map(() => undefined);
  };
}

/** Inserts all logs in one statement; an existing log is left unchanged. */
async function insertLogs(db: Kysely<Schema>, sealed: SealedBodies, logs: IntegrationLog[]): Promise<void> {
  if (logs.length === 0) return;
  const column = <Value>(of: (log: IntegrationLog) => Value) => logs.map(of);
  await sql`
    insert into integration_logs (id, transaction_id, money_transfer_id, provider, operation, url, request_method,
      response_status, success, "timestamp", sealed)
    select * from unnest(${column(({ id }) => id)}::uuid[], ${column((log) => log.transactionId)}::text[],
      ${column((log) => log.moneyTransferId)}::text[], ${column(({ provider }) => provider)}::text[],
      ${column(({ operation }) => operation)}::text[], ${column(({ url }) => url)}::text[],
      ${column((log) => log.requestMethod)}::text[], ${column((log) => log.responseStatus)}::integer[],
      ${column(({ success }) => success)}::boolean[], ${column(({ timestamp }) => timestamp)}::timestamptz[],
      ${column((log) => sealed.seal({ id: log.id }, bodiesOf(log)))}::bytea[])
    on conflict do nothing`.execute(db);
}

/** JSON has no undefined. */
const bodiesOf = ({ requestBody = null, responseBody = null }: IntegrationLog) => ({ requestBody, responseBody });

export interface LogReaderDeps {
  db: Db;
  sealed: SealedBodies;
}

/** The newest logs, of one transfer or of all; at most 200. */
export async function listLogs(
  { db, sealed }: LogReaderDeps,
  transactionId: string | undefined,
): Promise<IntegrationLog[]> {
  const logs = db.selectFrom('integration_logs').selectAll();
  const rows = await (transactionId === undefined ? logs : logs.where('transaction_id', '=', transactionId))
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_SIZES.integrationLogs)
    .execute();
  return rows.map((row) => toLog(sealed, row));
}

export async function findLog({ db, sealed }: LogReaderDeps, id: string): Promise<IntegrationLog | undefined> {
  const row = await db.selectFrom('integration_logs').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toLog(sealed, row);
}

function toLog(sealed: SealedBodies, row: LogRow): IntegrationLog {
  return {
    id: row.id,
    transactionId: row.transaction_id,
    moneyTransferId: row.money_transfer_id,
    provider: row.provider,
    operation: row.operation,
    url: row.url,
    requestMethod: row.request_method,
    ...sealed.open(row),
    responseStatus: row.response_status,
    success: row.success,
    timestamp: row.timestamp.toISOString(),
  };
}
