import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, createRates, type Rates } from './harness.ts';

let rates: Rates;
beforeAll(async () => {
  rates = await createRates();
});
afterAll(() => rates.stop());

const update = (buyRate: unknown, markup: unknown) =>
  rates.send('POST', '/internal/rates', { payload: { buyRate, markup }, caller: admin });

async function messages(type: string) {
  const envelopes = (await rates.events()).map(({ envelope }) => envelope);
  return envelopes.filter((envelope) => envelope.type === type);
}

test('there is no price before a rate is set', async () => {
  expect(await rates.send('GET', '/internal/pricing')).toMatchObject({
    status: 422,
    body: { code: 'rate_unavailable' },
  });
});

test('a change prices both directions exactly, is in the history with its author, and is published', async () => {
  const { body } = await update('24.123456', 2.5);
  expect(body).toMatchObject({ buyRate: '24.123456', markup: '2.5', kesToTzs: '23.5203696', fees: [] });
  expect((await rates.send('GET', '/internal/pricing')).body).toEqual(body);
  const { body: history } = await rates.send('GET', '/internal/rates/history', { caller: admin });
  expect(history[0]).toMatchObject({ buyRate: 24.123456, markup: 2.5, sellRate: 23.5203696, updatedByName: 'Wanjiru' });
  expect((await messages('rates.updated.v1')).at(-1)).toMatchObject({ data: body });
});

test('ten concurrent changes are ten ordered versions, and the last is in force', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => update(20 + index, 1)));
  const versions = (await messages('rates.updated.v1')).map(({ sequence }) => sequence ?? 0);
  expect(new Set(versions).size).toBe(versions.length);
  expect((await rates.send('GET', '/internal/pricing')).body.version).toBe(Math.max(...versions));
});

test('a rate replaces only the one that it names, and may be repeated', async () => {
  await update('24', 2);
  const { body: before } = await rates.send('GET', '/internal/rates/history', { caller: admin });
  const replace = (buyRate: string) =>
    rates.send('POST', '/internal/rates', { payload: { buyRate, markup: '2', replaces: before[0].id }, caller: admin });
  const [first, second] = await Promise.all([replace('25'), replace('26')]);
  expect([first.status, second.status].sort()).toEqual([200, 409]);
  const [taken, refused] = first.status === 200 ? [first, second] : [second, first];
  expect(refused.body.code).toBe('changed_meanwhile');
  // `25.50` and `25.5` are the same rate.
  expect((await replace(`${taken.body.buyRate}.00`)).body).toEqual(taken.body);
  const { body: history } = await rates.send('GET', '/internal/rates/history', { caller: admin });
  expect(history).toHaveLength(before.length + 1);
});

test('a change is audited with its author, origin, and the rate before and after', async () => {
  await update('24', 2);
  await update('25.5', 3);
  expect((await messages('admin.action-recorded.v1')).at(-1)?.data).toMatchObject({
    actor: { userId: admin.userId, adminId: 'ADM1', name: 'Wanjiru' },
    address: '192.0.2.7',
    action: 'rates.updated',
    before: { buyRate: '24', markup: '2' },
    after: { buyRate: '25.5', markup: '3' },
  });
  const known = (await messages('admin.action-recorded.v1')).length;
  await update('x', 2);
  expect(await messages('admin.action-recorded.v1')).toHaveLength(known);
});

test.each([
  ['x', 2, 'Please enter valid numbers for both fields'],
  [0, 2, 'Please enter valid numbers for both fields'],
  [23.5, 101, 'Markup percentage must be between 0 and 100'],
  [23.5, -1, 'Markup percentage must be between 0 and 100'],
  [23.5, 100.01, 'Markup percentage must be between 0 and 100'],
])('a buy rate of %s with a markup of %s is refused', async (buyRate, markup, error) => {
  expect(await update(buyRate, markup)).toMatchObject({ status: 400, body: { error } });
});

test('every caller may read the closing rates of the last thirty days, without the administrators who set them', async () => {
  const later = await createRates();
  const [start, day] = [Date.parse('2026-03-01T09:00:00Z'), 86_400_000];
  const setOn = async (atMs: number, buyRate: number) => {
    later.clock.set(new Date(atMs));
    const payload = { buyRate, markup: 0 };
    expect((await later.send('POST', '/internal/rates', { payload, caller: admin })).status).toBe(200);
  };
  await setOn(start, 20);
  await setOn(start + 1, 21);
  await setOn(start + 2 * day, 22);
  later.clock.set(new Date(start + 31 * day));
  const { body } = await later.send('GET', '/internal/rates/days');
  expect(body.days).toHaveLength(30);
  expect(body.days.slice(0, 2)).toEqual([
    { day: '2026-03-03', sellRate: 22 },
    { day: '2026-03-04', sellRate: 22 },
  ]);
  expect(body.bestOfWeek).toEqual([]);
  await later.stop();
});

test('only administrators set rates and read their history', async () => {
  const payload = { buyRate: 1, markup: 0 };
  expect((await rates.send('POST', '/internal/rates', { payload })).status).toBe(401);
  expect((await rates.send('POST', '/internal/rates', { payload, caller: { ...admin, isAdmin: false } })).status).toBe(
    403,
  );
  expect((await rates.send('GET', '/internal/rates/history', { caller: { ...admin, isAdmin: false } })).status).toBe(
    403,
  );
});
