import cookie from '@fastify/cookie';
import { SessionCheckBatch } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { expect, test } from 'vitest';
import { createSessions } from './sessions.ts';

const TOKEN = 's'.repeat(43);
const USER = {
  id: '0190a000-0000-7000-8000-0000000000a1',
  fullName: 'Amina',
  phone: '+254712345678',
  isAdmin: false,
  adminId: null,
  merchantData: null,
};

const createApp = () =>
  createHttpApp({
    service: 'gateway-test',
    logger: createLogger({ service: 'gateway-test', level: 'silent' }),
    checks: {},
  });

/** Orders, with a PIN, before an identity that knows one session and reads bodies as a service does. */
async function createDoor() {
  const batches: number[] = [];
  const identity = createApp();
  identity.post('/check', { schema: { body: SessionCheckBatch } }, async ({ body: { items } }) => {
    batches.push(items.length);
    const judge = ({ token }: { token: string }) =>
      token === TOKEN ? { ok: true, user: USER, endsInSeconds: 900 } : { ok: false, code: 'unauthenticated' };
    return { results: items.map(judge) };
  });
  const client = {
    async post(_path: string, payload: object) {
      const answer = await identity.inject({ method: 'POST', url: '/check', payload });
      if (answer.statusCode === 200) return answer.json();
      throw new AppError(answer.json().reason);
    },
  };
  const sessions = createSessions({ identity: client as unknown as ServiceClient });
  const app = createApp();
  await app.register(cookie);
  app.post('/order', async (request) => (await sessions.require(request, '1357')).user.fullName);
  const order = async (session: string) => {
    const headers = { cookie: `vuka_session=${session}` };
    return (await app.inject({ method: 'POST', url: '/order', headers })).statusCode;
  };
  return { order, batches };
}

test.each([
  ['a character that no database stores', '%00'],
  ['that character in a text as long as a session', `%00${'s'.repeat(42)}`],
])(
  'an order whose session is %s fails on its own, not with those that are checked beside it',
  async (_what, session) => {
    const { order, batches } = await createDoor();
    expect(await Promise.all([order(TOKEN), order(session), order(TOKEN)])).toEqual([200, 401, 200]);
    expect(batches).toEqual([2]);
  },
);
