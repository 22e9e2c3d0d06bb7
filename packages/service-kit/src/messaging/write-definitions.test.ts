import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { topology } from '@vuka/contracts/topology';
import { expect, test } from 'vitest';
import { hashPassword } from './definitions.ts';

const COMMAND = join(import.meta.dirname, 'write-definitions.ts');
const users = [...Object.keys(topology.services), 'operator'];
const variableOf = (user: string) => `RABBITMQ_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
const passwords = Object.fromEntries(users.map((user) => [variableOf(user), `secret of ${user}`]));

test('a file for a broker has the passwords of the environment, and is not written while one is missing', {
  timeout: 30_000,
}, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-definitions-'));
  const file = join(dir, 'definitions.json');
  const write = (env: NodeJS.ProcessEnv) => promisify(execFile)(process.execPath, [COMMAND, file], { env });
  try {
    const { RABBITMQ_PASSWORD_OPERATOR: _, ...others } = passwords;
    await expect(write(others)).rejects.toThrow('RABBITMQ_PASSWORD_OPERATOR is missing');
    expect(existsSync(file)).toBe(false);
    await write(passwords);
    const written = JSON.parse(await readFile(file, 'utf8'));
    expect(written.users.map(({ name, password_hash: hash }: Record<string, string>) => [name, hash])).toEqual(
      users.map((user) => [user, hashPassword(user, `secret of ${user}`)]),
    );
  } finally {
    await rm(dir, { recursive: true });
  }
});
