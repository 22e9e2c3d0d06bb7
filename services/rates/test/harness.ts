import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages } from '@vuka/service-kit/outbox';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestClock } from '@vuka/test-kit/clock';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { buildApp } from '#app.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';

export const admin: Caller = adminCaller;

/** Rates on its own database, with a clock set by the test. */
export async function createRates() {
  const logger = createLogger({ service: 'rates-test', level: 'silent' });
  const tokens = testTokens('rates');
  const server = await createTestDatabase('rates');
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'rates-test', logger });
  await migrate(db as never, migrations, logger);
  const clock = createTestClock(new Date());
  /** Roles that are no longer owner; null is a blocked administrator. */
  const rolesNow = new Map<string, AdminRole | null>();
  const roleNow = async (userId: string) =>
    rolesNow.has(userId) ? (rolesNow.get(userId) ?? null) : ('owner' as const);
  const app = buildApp({ db, logger, tokens, checks: {}, roleNow, now: clock.now, kickRelay: () => undefined });
  return {
    db,
    clock,
    rolesNow,
    send: (
      method: 'GET' | 'POST',
      url: string,
      { payload, caller, key }: { payload?: object; caller?: Caller; key?: string } = {},
    ) =>
      askAs(
        url.endsWith('in-force') ? 'transfers' : 'gateway',
        { app, service: 'rates' },
        { method, url, payload, caller, key },
      ),
    events: () => listMessages(db),
    async stop() {
      await app.close();
      await close();
      await server.drop();
    },
  };
}

export type Rates = Awaited<ReturnType<typeof createRates>>;
