import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentity, PEPPER } from './harness.ts';

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

test('the first administrator gets a PIN that is shown once and signs in; a second run for the same email is refused', async () => {
  const first = await adminCreate('--email', EMAIL);
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`${EMAIL} is now administrator ADM`) });
  const pin = pinOf(first);
  expect(first.out.split(pin)).toHaveLength(2);
  expect(first.errors).not.toContain(pin);
  const { status, body } = await signIn('first.admin@example.com', pin);
  expect([status, body.user.isAdmin, body.user.merchantData]).toEqual([200, true, null]);

  // In any case of letters.
  const second = await adminCreate('--email', EMAIL.toLowerCase());
  expect(second).toMatchObject({ code: 1, errors: 'An account with this email already exists.\n' });
  expect(pinOf(second)).toBe('');
  expect((await signIn(EMAIL, pin)).status).toBe(200);

  const reset = await adminCreate('--email', EMAIL, '--reset-pin');
  expect(reset.out).toContain(`${EMAIL} is administrator ${body.user.adminId}.`);
  expect((await signIn(EMAIL, pinOf(reset))).status).toBe(200);
}, 60_000);

test('a merchant is not made an administrator, nor anybody without an email', async () => {
  const { user } = await identity.register();
  const taken = await adminCreate('--email', user.email, '--reset-pin');
  expect(taken).toMatchObject({ code: 1, errors: 'An account with this email already exists.\n' });
  expect((await signIn(user.email, '1357')).body.user.isAdmin).toBe(false);
  expect(await adminCreate()).toMatchObject({ code: 1, errors: expect.stringMatching(/^Usage: create-admin --email/) });
}, 60_000);
