import cookie from '@fastify/cookie';
import { decodeCaller } from '@vuka/access/caller';
import type { SessionCheck, SessionCheckResult } from '@vuka/contracts/internal/identity';
import type { EntryRange } from '@vuka/contracts/internal/wallet';
import { AppError } from '@vuka/service-kit/app-error';
import { createHttpApp, type HttpApp } from '@vuka/service-kit/http-app';
import { createLogger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { addRateLimits } from '#guards/rate-limits.ts';
import { createSessions } from '#guards/sessions.ts';
import { statementRoutes } from './statements.routes.ts';

const MERCHANT = { isAdmin: false, adminId: null, merchantData: null };
const USER = { id: '0190a000-0000-7000-8000-0000000000a1', fullName: 'Amina', phone: '+254712345678', ...MERCHANT };
const COOKIE = { cookie: `vuka_session=${'s'.repeat(43)}` };
const RANGE: EntryRange = { accountId: '1', afterSeq: '0', uptoSeq: '5' };

let app: HttpApp;
let url: string;
let checks: SessionCheck[];
/** Every period that the wallet was asked for. */
let periods: Record<string, string>[];
let refusal: Extract<SessionCheckResult, { ok: false }> | undefined;
let beforePage: (afterSeq: string) => void;
let afterPage: () => void;

/** A gateway whose neighbours have five pages of a statement, and refuse requests without a caller. */
beforeEach(async () => {
  [checks, periods, refusal] = [[], [], undefined];
  [beforePage, afterPage] = [() => undefined, () => undefined];
  const fake = (client: Partial<Record<'get' | 'post', unknown>>) => client as unknown as ServiceClient;
  const identity = fake({
    async post(_path: string, { items }: { items: SessionCheck[] }) {
      checks.push(...items);
      return { results: items.map(() => refusal ?? { ok: true, user: USER, endsInSeconds: 900 }) };
    },
  });
  const amounts = { opening: '0.00', moneyIn: '0.00', moneyOut: '5.00', fees: '0.00', closing: '-5.00', held: '0.00' };
  const wallet = fake({
    async get(path: string) {
      periods.push(Object.fromEntries(new URL(path, 'http://wallet').searchParams));
      return { wallets: [{ currency: 'KES', ...amounts, range: RANGE }] };
    },
    async post(_path: string, { ranges }: { ranges: EntryRange[] }) {
      const { afterSeq = '' } = ranges[0] ?? {};
      beforePage(afterSeq);
      const seq = String(Number(afterSeq) + 1);
      const transferId = `0190a000-0000-7000-8000-00000000000${seq}`;
      const facts = { currency: 'KES', fee: '0.00', balanceAfter: `-${seq}.00`, createdAt: '2026-01-05T10:00:00Z' };
      const entries = [{ kind: 'capture', transferId, amount: '-1.00', ...facts }];
      return { entries, next: seq === '5' ? null : [{ ...RANGE, afterSeq: seq }] };
    },
  });
  const transfers = fake({
    async post(_path: string, _body: unknown, _answer: unknown, { caller }: { caller: string }) {
      if (decodeCaller(caller).userId !== USER.id) throw new AppError('not_signed_in');
      afterPage();
      return { items: [] };
    },
  });
  const logger = createLogger({ service: 'gateway-test', level: 'silent' });
  app = createHttpApp({ service: 'gateway-test', logger, checks: {} });
  await app.register(cookie);
  const limits = await addRateLimits(app, 1, () => undefined);
  const deps = { sessions: createSessions({ identity }), services: { wallet, transfers }, limits };
  statementRoutes(app, deps as unknown as ApiDeps);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const download = () => fetch(`${url}/api/statement.csv?from=2026-01-05&to=2026-01-05`, { headers: COOKIE });

test('the session is checked for each page of a file, and only its start keeps the session alive', async () => {
  const response = await download();
  const lines = (await response.text()).trimEnd().split('\r\n');
  expect(lines.filter((line) => line.includes('Sent'))).toHaveLength(5);
  expect(lines.at(-1)).toContain('Closing balance');
  expect(checks.map(({ keepAlive }) => keepAlive)).toEqual([true, false, false, false, false]);
});

test('a user makes forty statements and files a minute, however many sessions they have', async () => {
  const period = 'from=2026-01-05&to=2026-01-05';
  const ask = async (form: string, session: number) => {
    const cookie = `vuka_session=${String(session).padStart(43, 's')}`;
    const response = await fetch(`${url}/api/${form}?${period}`, { headers: { cookie } });
    await response.text();
    return response.status;
  };
  for (let session = 0; session < 39; session++) expect(await ask('statement', session)).toBe(200);
  expect(await ask('statement.csv', 39)).toBe(200);
  expect([await ask('statement', 40), await ask('statement.csv', 41)]).toEqual([429, 429]);
});

test.each([
  ['sign-out', 'unauthenticated'],
  ['block', 'account_blocked'],
] as const)(
  'a %s in the middle aborts the file, so that it cannot be mistaken for a complete one',
  async (_what, code) => {
    beforePage = (afterSeq) => {
      if (afterSeq === '2') refusal = { ok: false, code };
    };
    const response = await download();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  },
);

test.each([
  ['2026-01-31T20:59:59.999Z', '2026-01-01', '2026-01-31', '2026-01-31T21:00:00.000Z'],
  ['2026-01-31T21:00:00.000Z', '2026-02-01', '2026-02-01', '2026-02-01T21:00:00.000Z'],
])('the month’s totals at %s begin on %s: months change at midnight in East Africa', async (now, from, to, before) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  const response = await fetch(`${url}/api/statement/this-month`, { headers: COOKIE });
  expect(await response.json()).toEqual({
    from,
    to,
    wallets: [
      { currency: 'KES', moneyIn: '0.00', moneyOut: '5.00', fees: '0.00' },
      { currency: 'TZS', moneyIn: '0.00', moneyOut: '0.00', fees: '0.00' },
    ],
  });
  expect(periods).toEqual([{ from: new Date(`${from}T00:00:00+03:00`).toISOString(), before }]);
});
