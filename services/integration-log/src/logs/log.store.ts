import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { claimInbox } from '@vuka/service-kit/inbox';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { ensurePartitions } from '#db/partitions.ts';
import type { Db, Schema } from '#db/schema.ts';

const CONSUMER = 'integration-log.calls';
const LIST_LIMIT = 200;

/** The calls of one message, and further writes for the same transaction. */
export interface RecordedCalls {
  messageId: string;
  calls: IntegrationLog[];
  alongside?: (trx: Transaction<Schema>) => Promise<void>;
}

export type LogWriter = (messages: RecordedCalls[]) => Promise<undefined[]>;

/** Writes messages in one commit, each at most once. */
export function createLogWriter(db: Db): LogWriter {
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
        written.flatMap(({ calls }) => calls),
      );
      for (const { alongside } of written) await alongside?.(trx);
    });
    return messages.map(() => undefined);
  };
}

/** Inserts all logs in one statement; an existing log is left unchanged. */
async function insertLogs(db: Kysely<Schema>, logs: IntegrationLog[]): Promise<void> {
  if (logs.length === 0) return;
  const column = <Value>(of: (log: IntegrationLog) => Value) => logs.map(of);
  // Bodies are passed as text: Postgres's JSON functions refuse characters that the type json can store.
  await sql`
    insert into integration_logs (id, transaction_id, money_transfer_id, provider, operation, url, request_method,
      request_body, response_body, response_status, success, "timestamp")
    select id, transaction_id, money_transfer_id, provider, operation, url, request_method,
      request_body::json, response_body::json, response_status, success, "timestamp"
    from unnest(${column(({ id }) => id)}::uuid[], ${column((log) => log.transactionId)}::text[],
      ${column((log) => log.moneyTransferId)}::text[], ${column(({ provider }) => provider)}::text[],
      ${column(({ operation }) => operation)}::text[], ${column(({ url }) => url)}::text[],
      ${column((log) => log.requestMethod)}::text[], ${column((log) => toJson(log.requestBody))}::text[],
      ${column((log) => toJson(log.responseBody))}::text[], ${column((log) => log.responseStatus)}::integer[],
      ${column(({ success }) => success)}::boolean[], ${column(({ timestamp }) => timestamp)}::timestamptz[])
      as l(id, transaction_id, money_transfer_id, provider, operation, url, request_method, request_body,
        response_body, response_status, success, "timestamp")
    on conflict do nothing`.execute(db);
}

function toJson(body: unknown): string {
  return JSON.stringify(body ?? null);
}

/** The newest logs, of one transfer or of all; at most 200. */
export async function listLogs(db: Db, transactionId: string | undefined): Promise<IntegrationLog[]> {
  const logs = db.selectFrom('integration_logs').selectAll();
  const rows = await (transactionId === undefined ? logs : logs.where('transaction_id', '=', transactionId))
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_LIMIT)
    .execute();
  return rows.map(toLog);
}

export async function findLog(db: Db, id: string): Promise<IntegrationLog | undefined> {
  const row = await db.selectFrom('integration_logs').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toLog(row);
}

function toLog(row: Selectable<Schema['integration_logs']>): IntegrationLog {
  return {
    id: row.id,
    transactionId: row.transaction_id,
    moneyTransferId: row.money_transfer_id,
    provider: row.provider,
    operation: row.operation,
    url: row.url,
    requestMethod: row.request_method,
    requestBody: row.request_body,
    responseBody: row.response_body,
    responseStatus: row.response_status,
    success: row.success,
    timestamp: row.timestamp.toISOString(),
  };
}
