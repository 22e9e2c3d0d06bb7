import type { InboxSchema } from '@vuka/service-kit/inbox';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import type { Kysely, Selectable } from 'kysely';

interface IntegrationLogsTable {
  id: string;
  transaction_id: string | null;
  money_transfer_id: string | null;
  provider: string;
  operation: string;
  url: string;
  request_method: string;
  /** Null in sealed rows, as `response_body`. */
  request_body: unknown;
  response_body: unknown;
  response_status: number | null;
  success: boolean;
  timestamp: Date;
  /** See logs/sealed-bodies.ts; null in rows of earlier releases. */
  sealed: Buffer | null;
}

export interface Schema extends InboxSchema, OutboxSchema {
  integration_logs: IntegrationLogsTable;
}

export type Db = Kysely<Schema>;
export type LogRow = Selectable<IntegrationLogsTable>;
