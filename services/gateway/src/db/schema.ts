import type { InboxSchema } from '@vuka/service-kit/inbox';
import type { OutboxSchema } from '@vuka/service-kit/outbox';
import type { Generated, Kysely } from 'kysely';

interface LiveEventsTable {
  id: Generated<bigint>;
  message_id: string | null;
  user_id: string;
  name: string;
  data: unknown;
  created_at: Generated<Date>;
}

export interface Schema extends OutboxSchema, InboxSchema {
  live_events: LiveEventsTable;
}

export type Db = Kysely<Schema>;
