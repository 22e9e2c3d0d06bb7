import { EMAIL_TAKEN } from '@vuka/contracts/messages/identity';
import { listMessages } from '@vuka/service-kit/outbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentity } from './harness.ts';

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
});
afterAll(() => identity?.stop());

const at = (address: string) => ({ browser: { address, userAgent: '', device: undefined } }) as object;
const notices = async (userId: string) =>
  (await listMessages(identity.db)).filter(
    ({ envelope }) => envelope.type === EMAIL_TAKEN && envelope.subject === userId,
  ).length;

test('a network that tries many taken addresses can register none, taken or free, until it has waited', async () => {
  const owners = await Promise.all(Array.from({ length: 20 }, () => identity.register()));
  const tries = await Promise.all(
    owners.map(({ user }) => identity.register({ email: user.email, ...at('192.0.2.50') })),
  );
  expect(tries.map(({ code }) => code)).toEqual(Array(20).fill('email_taken'));
  const { user } = await identity.register();
  const refused = [await identity.register({ email: user.email, ...at('192.0.2.50') })];
  refused.push(await identity.register({ email: 'free@example.com', ...at('192.0.2.50') }));
  expect(refused).toMatchObject([
    { status: 429, code: 'rate_limited' },
    { status: 429, code: 'rate_limited' },
  ]);
  expect((await identity.register({ email: 'free2@example.com', ...at('192.0.2.51') })).status).toBe(201);
  identity.clock.advance(15 * 60_000 + 1);
  expect((await identity.register({ email: 'free@example.com', ...at('192.0.2.50') })).status).toBe(201);
});

test('a network that tries many addresses at once learns no more than twenty', async () => {
  const owners = await Promise.all(Array.from({ length: 30 }, () => identity.register()));
  const tries = await Promise.all(
    owners.map(({ user }) => identity.register({ email: user.email, ...at('192.0.2.52') })),
  );
  const times = (code: string) => tries.filter((answer) => answer.code === code).length;
  expect([times('email_taken'), times('rate_limited')]).toEqual([20, 10]);
});

test('one address tried again and again, also at the same moment, counts once', async () => {
  const { user } = await identity.register();
  const again = () => identity.register({ email: user.email, ...at('192.0.2.55') });
  for (const { code } of await Promise.all(Array.from({ length: 30 }, again))) expect(code).toBe('email_taken');
  expect((await identity.register({ email: 'free3@example.com', ...at('192.0.2.55') })).status).toBe(201);
});

test('single mistakes over days never add up', async () => {
  const { user } = await identity.register();
  for (let hour = 0; hour < 25; hour++) {
    const { code } = await identity.register({ email: user.email, ...at('192.0.2.60') });
    expect(code).toBe('email_taken');
    identity.clock.advance(61 * 60_000);
  }
});

test('the owner of the address is notified at most once a day', async () => {
  const { user } = await identity.register();
  for (let time = 0; time < 3; time++) await identity.register({ email: user.email, ...at('192.0.2.70') });
  expect(await notices(user.id)).toBe(1);
  identity.clock.advance(24 * 3_600_000);
  await identity.register({ email: user.email.toUpperCase(), ...at('192.0.2.70') });
  expect(await notices(user.id)).toBe(2);
});
