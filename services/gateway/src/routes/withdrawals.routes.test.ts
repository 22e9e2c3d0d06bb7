import { unavailable } from '@vuka/service-kit/app-error';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { expect, test } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { withdrawalRoutes } from './withdrawals.routes.ts';

const ID = '0190a1b2-c3d4-7000-8000-00000000000a';

test.each([
  ['take', undefined],
  ['approve', { pin: '1357' }],
  ['refuse', { pin: '1357', reason: 'Unknown account' }],
  ['fail', { pin: '1357', reason: 'Returned by the bank' }],
  ['complete', { pin: '1357', reference: 'FT26001' }],
])(
  'the order to %s a withdrawal names it by one spelling of its id, however the address writes it',
  async (order, payload) => {
    const orders: object[] = [];
    const transfers = {
      async post(_path: string, body: object) {
        orders.push(body);
        throw unavailable();
      },
    };
    const sessions = { requireAdmin: async () => ({ caller: {} }) };
    const app = createHttpApp({
      service: 'gateway-test',
      logger: createLogger({ service: 'gateway-test', level: 'silent' }),
      checks: {},
    });
    withdrawalRoutes(app, { sessions, services: { transfers } } as unknown as ApiDeps);
    const url = `/api/admin/withdrawals/${ID.toUpperCase()}/${order}`;
    const { statusCode } = await app.inject({ method: 'POST', url, ...(payload ? { payload } : {}) });
    expect([statusCode, orders]).toMatchObject([503, [{ id: ID }]]);
  },
);
