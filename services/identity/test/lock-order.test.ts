import { until } from '@vuka/test-kit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

/** Called between the check of a sign-in's PIN and its session. */
let onVerified = async () => undefined as unknown;
const hasher = createPinHasher(PEPPERS);
let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity({
    hasher: {
      ...hasher,
      async verify(...pin) {
        const isRight = await hasher.verify(...pin);
        await onVerified();
        return isRight;
      },
    },
  });
});
afterAll(() => identity.stop());

const RESEND_AFTER_MS = 60_000;
const [RIGHT, WRONG, NEW] = ['1357', '9753', '8642'];
const signIn = (username: string) => identity.send('POST', '/internal/login', { username, pin: RIGHT });

/** Keeps a user's row, as any change of it does, until `release`. */
async function holdRow(userId: string, { isClosing = false } = {}) {
  const client = await identity.pool.connect();
  await client.query('begin');
  // In a deadlock the other one is ended.
  await client.query(`set local deadlock_timeout = '1min'`);
  if (isClosing) await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [userId]);
  await client.query('select from users where id = $1 for update', [userId]);
  return {
    eraseCodes: () => client.query('delete from one_time_codes where user_id = $1', [userId]),
    endSessions: () => client.query('delete from sessions where user_id = $1', [userId]),
    async release() {
      await client.query('commit');
      client.release();
    },
  };
}

const waiting = (count: number) =>
  until(
    async () => {
      const { rows } = await identity.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length === count;
    },
    { what: `${count} wait for a lock` },
  );

interface Account {
  id: string;
  email: string;
  token: string;
}

async function merchant(): Promise<Account> {
  const { user, token } = await identity.register();
  return { id: user.id, email: user.email, token };
}

/** A merchant who can reset the PIN. */
async function verifiedMerchant(): Promise<Account> {
  const account = await merchant();
  const caller = { ...admin, userId: account.id, isAdmin: false, adminId: null };
  for (const channel of ['phone', 'email']) {
    const sent = await identity.send('POST', `/internal/verification/${channel}/send`, {}, caller);
    await identity.send('POST', `/internal/verification/${channel}/confirm`, { code: sent.body.demoCode }, caller);
  }
  return account;
}

const ADMIN = { email: 'owner@example.com', name: 'Owner', phone: '+254711000001', role: 'owner' as const };

async function administrator(): Promise<Account> {
  await createAdmin({ db: identity.db, hasher }, { ...ADMIN, pin: RIGHT, resetPin: false });
  const { body } = await signIn(ADMIN.email);
  return { id: body.user.id, email: ADMIN.email, token: body.token };
}

/** Each waits for the row of the account, which `hold` keeps from then on. */
const CHANGES: [string, () => Promise<Account>, (account: Account, hold: () => Promise<void>) => Promise<number>][] = [
  [
    'a sign-in',
    merchant,
    async ({ email }, hold) => {
      onVerified = hold;
      const { status } = await signIn(email);
      onVerified = async () => undefined;
      return status;
    },
  ],
  [
    'a PIN reset',
    verifiedMerchant,
    async ({ email }, hold) => {
      const { id, demo } = (await identity.send('POST', '/internal/pin-reset', { username: email })).body;
      const token = new URLSearchParams(demo.link.split('#')[1]).get('token');
      await hold();
      const form = { id, token, code: demo.code, newPin: NEW };
      return (await identity.send('POST', '/internal/pin-reset/confirm', form)).status;
    },
  ],
  [
    'a block',
    merchant,
    async ({ id }, hold) => {
      await hold();
      return (await identity.send('POST', `/internal/merchants/${id}/toggle-block`, { isBlocked: true }, admin)).status;
    },
  ],
  [
    'the reset of an administrator on the server',
    administrator,
    async (_account, hold) => {
      await hold();
      await createAdmin({ db: identity.db, hasher }, { ...ADMIN, pin: NEW, resetPin: true });
      return 200;
    },
  ],
];

test.each(CHANGES)('%s and a wrong PIN at the same time both end', async (_what, open, change) => {
  const account = await open();
  const { promise: kept, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof holdRow>>>();
  const changing = change(account, async () => resolve(await holdRow(account.id)));
  const held = await kept;
  await waiting(1);
  const before = identity.wrongPins.length;
  const checking = identity.check([{ token: account.token, pin: WRONG }]);
  await waiting(2);
  await held.release();
  expect(await changing).toBe(200);
  expect(await checking).toMatchObject([{ ok: false }]);
  // It was not run again after a deadlock.
  expect(identity.wrongPins.length - before).toBeLessThan(2);
});

test('a deadlock over one account fails no request that was checked together with its own', async () => {
  const [account, bystander] = [await merchant(), await merchant()];
  const held = await holdRow(account.id);
  const checking = identity.check([
    { token: account.token, pin: WRONG },
    { token: bystander.token, pin: RIGHT },
  ]);
  await waiting(1);
  await held.endSessions();
  await held.release();
  expect(await checking).toMatchObject([{ ok: false }, { ok: true }]);
});

test.each(['confirm', 'send'])(
  'the closing of an account and a %s of its number at the same time both end',
  async (act) => {
    const account = await merchant();
    const caller = { ...admin, userId: account.id, isAdmin: false, adminId: null };
    const ask = (what: string, body = {}) =>
      identity.send('POST', `/internal/verification/phone/${what}`, body, caller);
    const { demoCode: code } = (await ask('send')).body;
    identity.clock.advance(RESEND_AFTER_MS);
    const closing = await holdRow(account.id, { isClosing: true });
    const asking = ask(act, { code });
    await waiting(1);
    await closing.eraseCodes();
    await closing.release();
    expect((await asking).status).toBe(act === 'send' ? 200 : 400);
  },
);
