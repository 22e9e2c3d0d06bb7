import { AppError } from '@vuka/service-kit/app-error';
import { createHttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import { expect, test } from 'vitest';
import { logAuthentication, noteRefusal } from './access-log.ts';

/** What each request logs, instead of writing it. */
function createRecorder() {
  const records: object[] = [];
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  const info = (facts: object, msg: string) => records.push({ ...facts, msg });
  logger.child = () => Object.assign(Object.create(logger), { info });
  return { logger, records };
}

function createDoor() {
  const { logger, records } = createRecorder();
  const app = createHttpApp({
    service: 'gateway-test',
    logger,
    checks: {},
    judgeFailure: async (failure, request) => {
      noteRefusal(failure, request);
      return failure;
    },
  });
  logAuthentication(app);
  app.post('/api/login', async (request) => {
    const { pin } = request.body as { pin: string };
    if (pin !== '1357') throw new AppError('invalid_credentials');
    return {};
  });
  app.post('/api/transactions/create', () => {
    throw new AppError('limit_per_day', { params: { left: '0.00', currency: 'KES' } });
  });
  app.get('/api/user', () => {
    throw new AppError('not_signed_in');
  });
  app.get('/api/recipients/:phone/holder', () => {
    throw new AppError('origin_foreign');
  });
  return { app, records };
}

const signIn = (pin: string) => ({ method: 'POST', url: '/api/login', payload: { username: 'a@b.c', pin } }) as const;

test('a sign-in is logged with its address and request id, whether or not it succeeded, without email and PIN', async () => {
  const { app, records } = createDoor();
  const [wrong, right] = [await app.inject(signIn('2468')), await app.inject(signIn('1357'))];
  const login = { route: 'POST /api/login', address: '127.0.0.1' };
  expect(records).toMatchObject([
    {
      ...login,
      requestId: wrong.headers['x-request-id'],
      code: 'invalid_credentials',
      reason: 'invalid_credentials',
      msg: 'access was refused',
    },
    { ...login, requestId: right.headers['x-request-id'], msg: 'authenticated' },
  ]);
  expect(JSON.stringify(records)).not.toMatch(/a@b\.c|2468|1357/);
});

test('a refused authorisation is logged with its route, not with the number in the address', async () => {
  const { app, records } = createDoor();
  await app.inject('/api/recipients/+254712345678/holder');
  expect(records).toMatchObject([{ route: 'GET /api/recipients/:phone/holder', reason: 'origin_foreign' }]);
  expect(JSON.stringify(records)).not.toContain('254712345678');
});

test('a request without a session is not logged', async () => {
  const { app, records } = createDoor();
  await app.inject('/api/user');
  expect(records).toEqual([]);
});

test('an order above a limit is logged, without the amounts', async () => {
  const { app, records } = createDoor();
  await app.inject({ method: 'POST', url: '/api/transactions/create' });
  expect(records).toMatchObject([{ route: 'POST /api/transactions/create', reason: 'limit_per_day' }]);
  expect(JSON.stringify(records)).not.toContain('KES');
});
