import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import { up as takeAwayDefaultPhones } from '#db/migrations/0011-no-phone.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { createIdentity, PEPPER, PEPPERS } from './harness.ts';

const COMMAND = join(import.meta.dirname, '../../../infra/local/src/create-admin.ts');
const EMAIL = 'First.Admin@example.com';

let identity: Awaited<ReturnType<typeof createIdentity>>;
let dataDir: string;
beforeAll(async () => {
  identity = await createIdentity();
  dataDir = await mkdtemp(join(tmpdir(), 'vuka-no-run-'));
});
afterAll(async () => {
  await identity.stop();
  await rm(dataDir, { recursive: true });
});

interface Said {
  code: number;
  out: string;
  errors: string;
}

/** `npm run admin:create -- <words>` against identity's database, with the fullest logs. */
async function adminCreate(...words: string[]): Promise<Said> {
  const { PATH = '' } = process.env;
  const env = { PATH, DATABASE_URL: identity.url, VUKA_PIN_PEPPER: PEPPER, VUKA_DATA_DIR: dataDir, LOG_LEVEL: 'trace' };
  const run = promisify(execFile)(process.execPath, [COMMAND, ...words], { env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, errors: stderr }),
    (error) => ({ code: error.code, out: error.stdout, errors: error.stderr }),
  );
}

const signIn = (username: string, pin: string) => identity.send('POST', '/internal/login', { username, pin });
const pinOf = ({ out }: Said) => /The PIN is (\d{4}):/.exec(out)?.[1] ?? '';

test('the first administrator’s PIN is shown once and signs in; a second run for the same email is refused', async () => {
  const first = await adminCreate('--email', EMAIL);
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`${EMAIL} is now administrator ADM`) });
  const pin = pinOf(first);
  // As a number of its own: the administrator's id may contain the same digits.
  expect(first.out.split(new RegExp(`(?<!\\d)${pin}(?!\\d)`))).toHaveLength(2);
  expect(first.errors).not.toContain(pin);
  const { status, body } = await signIn('first.admin@example.com', pin);
  expect([status, body.user.isAdmin, body.user.merchantData]).toEqual([200, true, null]);

  // Ignoring case.
  const second = await adminCreate('--email', EMAIL.toLowerCase());
  expect(second).toMatchObject({ code: 1, errors: 'An account with this email already exists.\n' });
  expect(pinOf(second)).toBe('');
  expect((await signIn(EMAIL, pin)).status).toBe(200);

  const reset = await adminCreate('--email', EMAIL, '--reset-pin');
  expect(reset.out).toContain(`${EMAIL} is administrator ${body.user.adminId}.`);
  expect((await signIn(EMAIL, pinOf(reset))).status).toBe(200);
}, 60_000);

test('neither a merchant nor a missing email becomes an administrator', async () => {
  const { user } = await identity.register();
  const taken = await adminCreate('--email', user.email, '--reset-pin');
  expect(taken).toMatchObject({ code: 1, errors: 'An account with this email already exists.\n' });
  expect((await signIn(user.email, '1357')).body.user.isAdmin).toBe(false);
  expect(await adminCreate()).toMatchObject({ code: 1, errors: expect.stringMatching(/^Usage: create-admin --email/) });
}, 60_000);

test('an administrator without --phone has no number, gets no SMS, and receives no transfers', async () => {
  await adminCreate('--email', 'no.phone@example.com');
  const { id, ...numbers } = await identity.db
    .selectFrom('users')
    .select(['id', 'phone', 'phone_e164'])
    .where('email', '=', 'no.phone@example.com')
    .executeTakeFirstOrThrow();
  expect(numbers).toEqual({ phone: '', phone_e164: null });
  const lookups = { items: [{ phone: '+254700000000' }, { phone: '' }, { phone: '+254' }] };
  expect((await identity.send('POST', '/internal/recipients-batch', lookups)).body.results).toEqual([null, null, null]);
  const contacts = await identity.send('POST', '/internal/contacts-batch', { items: [{ userId: id }] });
  expect(contacts.body.results).toMatchObject([{ phone: null, isAdmin: true }]);
}, 60_000);

test('the migration removes the number given to earlier administrators without --phone, and no other', async () => {
  const { db } = identity;
  const deps = { db, hasher: createPinHasher(PEPPERS) };
  const made = { name: 'Early Admin', pin: '2468', resetPin: false, role: 'owner' as const };
  await createAdmin(deps, { ...made, email: 'default@example.com', phone: '+254700000000' });
  await createAdmin(deps, { ...made, email: 'own@example.com', phone: '+254700000009' });
  const merchant = await identity.register({ phoneNumber: '+254700000000' });
  await takeAwayDefaultPhones(db as never);
  const phones = await db
    .selectFrom('users')
    .select(['email', 'phone', 'phone_e164'])
    .where('email', 'in', ['default@example.com', 'own@example.com', merchant.user.email])
    .execute();
  expect(new Map(phones.map(({ email, phone, phone_e164 }) => [email, [phone, phone_e164]]))).toEqual(
    new Map([
      ['default@example.com', ['', null]],
      ['own@example.com', ['+254700000009', '+254700000009']],
      [merchant.user.email, ['+254700000000', '+254700000000']],
    ]),
  );
  const noNumber = db.updateTable('users').set({ phone: '' }).where('id', '=', merchant.user.id).execute();
  await expect(noNumber).rejects.toThrow('users_phone_check');
});
