import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { expect, test } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { addRateLimits } from '#guards/rate-limits.ts';
import { quoteRoutes } from './quotes.routes.ts';

const QUOTE = {
  quoteId: '0190a1b2-c3d4-7000-8000-000000000001',
  direction: 'KES_TO_TZS',
  rate: '19.50',
  sourceAmount: '100.00',
  sourceCurrency: 'KES',
  targetAmount: '1950.00',
  targetCurrency: 'TZS',
  fee: '0.00',
  expiresAt: '2026-01-05T09:01:00.000Z',
};

/** A gateway that takes the session of a request for its user's name, and the callers for whom transfers held a price. */
async function createDoor() {
  const held: string[] = [];
  const transfers = {
    async post(_path: string, _body: object, _answer: unknown, { caller }: { caller: string }) {
      held.push(caller);
      return QUOTE;
    },
  };
  const sessions = {
    async require({ headers: { cookie } }: { headers: Record<string, string> }) {
      return { user: { id: cookie }, caller: cookie };
    },
  };
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  const app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
  const limits = await addRateLimits(app, 1, () => undefined);
  quoteRoutes(app, { sessions, limits, services: { transfers } } as unknown as ApiDeps);
  const payload = { direction: 'KES_TO_TZS', sourceAmount: '100' };
  const ask = async (cookie: string) =>
    (await app.inject({ method: 'POST', url: '/api/quotes', headers: { cookie }, payload })).statusCode;
  return { ask, held };
}

test('a user holds 120 prices a minute: one more is refused before anything is stored, and others still hold theirs', async () => {
  const { ask, held } = await createDoor();
  for (let price = 0; price < 120; price++) expect(await ask('amina')).toBe(201);
  expect([await ask('amina'), await ask('neema')]).toEqual([429, 201]);
  expect(held.filter((caller) => caller === 'amina')).toHaveLength(120);
});
