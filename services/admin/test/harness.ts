import { randomInt, randomUUID } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import { askAs } from '@vuka/access/testing/ask-as';
import { testTokens } from '@vuka/access/testing/test-tokens';
import type { AdminRole } from '@vuka/contracts/http/admin-role';
import { createDatabase } from '@vuka/service-kit/database';
import { readKeyring } from '@vuka/service-kit/keyring';
import { createLogger } from '@vuka/service-kit/logger';
import type { MessageBus } from '@vuka/service-kit/messaging/message-bus';
import { migrate } from '@vuka/service-kit/migrate';
import { listMessages } from '@vuka/service-kit/outbox';
import { adminCaller } from '@vuka/test-kit/callers';
import { createTestClock } from '@vuka/test-kit/clock';
import { createTestDatabase } from '@vuka/test-kit/postgres';
import { buildApp } from '#app.ts';
import { migrations } from '#db/migrations/migrations.ts';
import type { Schema } from '#db/schema.ts';
import { createSealedNotifications } from '#notifications/sealed-notifications.ts';
import { startNeighbours } from './neighbours.ts';

/** The service on its own database, with fake neighbours and a clock that the test sets. */
export async function createAdminService() {
  const logger = createLogger({ service: 'admin-test', level: 'silent' });
  const tokens = testTokens('admin');
  const clock = createTestClock(new Date());
  const server = await createTestDatabase('admin');
  const { db, close } = createDatabase<Schema>({ url: server.url, service: 'admin-test', logger });
  await migrate(db as never, migrations, logger);
  const neighbours = await startNeighbours(tokens);
  const services = { identity: neighbours.client, transfers: neighbours.client, wallet: neighbours.client };
  /** Roles that are no longer owner; null is a blocked administrator. */
  const rolesNow = new Map<string, AdminRole | null>();
  const deps = {
    db,
    tokens,
    logger,
    now: clock.now,
    kickRelay: () => undefined,
    bus: {} as MessageBus,
    sealed: createSealedNotifications(readKeyring('data-key-of-at-least-thirty-two-characters')),
    ...services,
    roleNow: async (userId: string) => (rolesNow.has(userId) ? (rolesNow.get(userId) ?? null) : ('owner' as const)),
  };
  const app = buildApp({ ...deps, checks: {} });
  const messages = async () => (await listMessages(db)).map(({ envelope }) => envelope);
  return {
    db,
    deps,
    clock,
    rolesNow,
    neighbours,
    /** Another administrator, with a checked PIN. */
    administrator(): Caller {
      const adminId = `ADM${randomInt(1e9)}`;
      const userId = randomUUID();
      neighbours.holders.set(adminId, { userId, fullName: 'Zuri Admin' });
      return { ...adminCaller, userId, adminId, name: `Name of ${adminId}`, pinVerified: true };
    },
    send: (method: 'GET' | 'POST', url: string, caller: Caller | null, payload?: object) =>
      askAs('gateway', { app, service: 'admin' }, { method, url, payload, caller }),
    messages,
    /** The recorded actions for the audit trail. */
    actions: async () =>
      (await messages())
        .filter(({ type }) => type === 'admin.action-recorded.v1')
        // biome-ignore lint/suspicious/noExplicitAny: what was recorded is what a test is about
        .map(({ data }) => data as any),
    async stop() {
      await app.close();
      await neighbours.stop();
      await close();
      await server.drop();
    },
  };
}

export type AdminService = Awaited<ReturnType<typeof createAdminService>>;
