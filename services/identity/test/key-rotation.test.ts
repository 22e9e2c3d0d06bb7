import { argon2Sync, createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { readKeyring } from '@vuka/service-kit/keyring';
import type { Logger } from '@vuka/service-kit/logger';
import { derive } from '@vuka/service-kit/sealing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renewVerifiers } from '#pins/renew-verifiers.ts';
import { createTotpSealing, renewSecrets } from '#second-factors/renew-secrets.ts';
import { admin, createIdentity, PEPPER, PEPPERS, SESSION_SECRETS } from './harness.ts';

const PIN = '1357';
const NEW_PEPPER = 'another-pepper-of-thirty-two-characters';
const BOTH = readKeyring(`${NEW_PEPPER},${PEPPER}`);
const ONLY_NEW = readKeyring(NEW_PEPPER);

type Identity = Awaited<ReturnType<typeof createIdentity>>;
const processes: Identity[] = [];
let before: Identity;
let during: Identity;
let after: Identity;
let lines: object[] = [];
const note = (facts: object) => void lines.push(facts);
const logger = { info: note, warn: note } as unknown as Logger;
beforeAll(async () => {
  before = await createIdentity();
  during = await createIdentity({ beside: before, peppers: BOTH });
  after = await createIdentity({ beside: before, peppers: ONLY_NEW });
  processes.push(after, during, before);
});
afterAll(async () => {
  for (const each of processes) await each.stop();
});

const signIn = async (at: Identity, email: string) =>
  (await at.send('POST', '/internal/login', { username: email, pin: PIN })).status;
const pinOf = async (id: string) =>
  (await before.db.selectFrom('users').select('pin').where('id', '=', id).executeTakeFirstOrThrow()).pin;
const setPin = (id: string, pin: string) => before.db.updateTable('users').set({ pin }).where('id', '=', id).execute();
const renew = (at: Identity) => renewVerifiers({ db: at.db, hasher: at.hasher, logger });

/** As the first release wrote it: argon2id over an HMAC by the pepper, which it did not name. */
function firstVerifier(userId: string): string {
  const nonce = randomBytes(16);
  const message = createHmac('sha256', PEPPER).update(`${userId}|${PIN}`).digest();
  const tag = argon2Sync('argon2id', { message, nonce, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 });
  return `k1$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
}

test('a pepper is replaced without a PIN being entered, and the old one is then useless', async () => {
  const { user } = await before.register();
  const old = await pinOf(user.id);
  expect(await signIn(during, user.email)).toBe(200);
  await renew(during);
  const renewed = await pinOf(user.id);
  expect(renewed).not.toBe(old);
  expect(await signIn(after, user.email)).toBe(200);
  const wrong = await after.send('POST', '/internal/login', { username: user.email, pin: '1358' });
  expect(wrong.body.code).toBe('invalid_credentials');
  expect(await before.hasher.verify(user.id, PIN, renewed)).toBe(false);
});

test('a verifier belongs to its user: put into the row of another, it opens nothing', async () => {
  const [{ user }, { user: other }] = [await before.register(), await before.register()];
  const own = await pinOf(other.id);
  await setPin(other.id, await pinOf(user.id));
  expect(await signIn(before, other.email)).toBe(401);
  lines = [];
  await renew(during);
  expect(lines).toMatchObject([{ unreadable: 1 }, { renewed: expect.any(Number) }]);
  await setPin(other.id, own);
});

test('PINs of the first release are entered once before their pepper can be removed, and the log counts them', async () => {
  const { user } = await before.register();
  await setPin(user.id, firstVerifier(user.id));
  await renew(before);
  expect(await pinOf(user.id)).toMatch(new RegExp(`^h\\$${PEPPERS.current.id}\\$`));
  lines = [];
  await renew(during);
  expect(lines).toMatchObject([{ waitingForSignIn: 1 }]);
  expect(await signIn(during, user.email)).toBe(200);
  lines = [];
  await renew(during);
  expect(lines).toEqual([]);
  expect(await signIn(after, user.email)).toBe(200);
});

test('a PIN changed during the renewal stays changed', async () => {
  const { user } = await before.register();
  const changed = await before.hasher.hash(user.id, '2468');
  const writes: Promise<unknown>[] = [];
  /** The user changes the PIN between the reading and the writing of the row. */
  const hasher = {
    ...during.hasher,
    renew(id: string, pin: string) {
      const renewed = during.hasher.renew(id, pin);
      writes.push(setPin(user.id, changed));
      return renewed;
    },
  };
  await renewVerifiers({ db: during.db, hasher, logger });
  await Promise.all(writes);
  expect(await during.hasher.verify(user.id, '2468', await pinOf(user.id))).toBe(true);
});

test('sessions survive a new session secret: nobody signs in again, and PINs are still checked', async () => {
  const secrets = readKeyring(`a-new-session-secret-of-32-characters,${SESSION_SECRETS.current.secret}`);
  const renewed = await createIdentity({ beside: before, sessionSecrets: secrets });
  processes.unshift(renewed);
  const { token } = await before.register();
  expect(await renewed.check([{ token }, { token, pin: PIN }])).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await renewed.check([{ token, pin: '9753' }])).toMatchObject([{ ok: false, code: 'invalid_pin' }]);
});

test('a code that was sent before the pepper was replaced is right after it', async () => {
  const { user } = await before.register();
  const caller = { ...admin, userId: user.id, isAdmin: false, adminId: null };
  const { body } = await before.send('POST', '/internal/verification/phone/send', {}, caller);
  const entered = await during.send('POST', '/internal/verification/phone/confirm', { code: body.demoCode }, caller);
  expect(entered.status).toBe(200);
});

test('authenticator apps come under the new pepper, also those of the release that named none', async () => {
  const { user } = await before.register();
  const secret = randomBytes(20);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derive(PEPPERS.current, 'authenticator apps'), nonce);
  cipher.setAAD(Buffer.from(user.id));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  const unnamed = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  const id = '0190a000-0000-7000-8000-00000000f001';
  const factor = { id, user_id: user.id, kind: 'totp' as const, name: 'Phone', created_at: new Date() };
  await before.db
    .insertInto('second_factors')
    .values({ ...factor, sealed_secret: unnamed, last_step: 0n })
    .execute();
  const read = async () =>
    (
      await before.db
        .selectFrom('second_factors')
        .select('sealed_secret')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).sealed_secret as Buffer;
  await renewSecrets({ db: before.db, peppers: PEPPERS, logger });
  expect(createTotpSealing(PEPPERS).open(await read(), user.id)).toEqual(secret);
  await renewSecrets({ db: before.db, peppers: BOTH, logger });
  const renewed = await read();
  expect(createTotpSealing(ONLY_NEW).open(renewed, user.id)).toEqual(secret);
  expect(() => createTotpSealing(ONLY_NEW).open(renewed, 'another user')).toThrow();
});
