import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { claimPart } from '@vuka/service-kit/inbox';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { ensurePartitions } from '#db/partitions.ts';
import type { Db, LogRow, Schema } from '#db/schema.ts';
import type { SealedBodies } from './sealed-bodies.ts';

const CONSUMER = 'integration-log.calls';

/** The calls of one message. */
export interface RecordedCalls {
  messageId: string;
  calls: IntegrationLog[];
}

export interface LogWriter {
  /** Writes messages in one statement, each at most once; of several with one id, the first. */
  record(messages: RecordedCalls[]): Promise<undefined[]>;
  /** Writes calls that came in no message, together with other writes. */
  insert(calls: IntegrationLog[], alongside: (trx: Transaction<Schema>) => Promise<void>): Promise<void>;
}

export function createLogWriter(db: Db, sealed: SealedBodies): LogWriter {
  const knownMonths = new Set<string>();
  const makeRoom = (calls: IntegrationLog[]) =>
    ensurePartitions(
      db,
      calls.map(({ timestamp }) => new Date(timestamp)),
      knownMonths,
    );
  return {
    async record(messages) {
      const firsts = new Map<string, IntegrationLog[]>();
      for (const { messageId, calls } of messages) if (!firsts.has(messageId)) firsts.set(messageId, calls);
      const calls = [...firsts].flatMap(([messageId, own]) => own.map((call) => ({ ...call, messageId })));
      await makeRoom(calls);
      await sql`with fresh as (${claimPart(CONSUMER, [...firsts.keys()])}) ${insertLogs(sealed, calls, FROM_FRESH)}`.execute(
        db,
      );
      return messages.map(() => undefined);
    },
    async insert(calls, alongside) {
      await makeRoom(calls);
      await db.transaction().execute(async (trx) => {
        await insertLogs(sealed, calls).execute(trx);
        await alongside(trx);
      });
    },
  };
}

/**
 * `message_id` is never null here: the alternative makes the planner hash the `in` list, where a join would compare all
 * pairs.
 */
const FROM_FRESH = sql`where message_id is null or message_id in (select message_id from fresh)`;

/** The insert of all these logs; an existing log is left unchanged. */
function insertLogs(
  sealed: SealedBodies,
  logs: (IntegrationLog & { messageId?: string })[],
  which: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const column = <Value>(of: (log: (typeof logs)[number]) => Value) => logs.map(of);
  return sql`
    insert into integration_logs (id, transaction_id, money_transfer_id, provider, operation, url, request_method,
      response_status, success, "timestamp", sealed)
    select id, transaction_id, money_transfer_id, provider, operation, url, request_method, response_status, success, at, sealed
    from unnest(${column(({ messageId }) => messageId)}::text[], ${column(({ id }) => id)}::uuid[],
      ${column((log) => log.transactionId)}::text[], ${column((log) => log.moneyTransferId)}::text[],
      ${column(({ provider }) => provider)}::text[], ${column(({ operation }) => operation)}::text[],
      ${column(({ url }) => url)}::text[], ${column((log) => log.requestMethod)}::text[],
      ${column((log) => log.responseStatus)}::integer[], ${column(({ success }) => success)}::boolean[],
      ${column(({ timestamp }) => timestamp)}::timestamptz[],
      ${column((log) => sealed.seal({ id: log.id }, bodiesOf(log)))}::bytea[])
      as log(message_id, id, transaction_id, money_transfer_id, provider, operation, url, request_method, response_status,
        success, at, sealed)
    ${which} on conflict do nothing`;
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
