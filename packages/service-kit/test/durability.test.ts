import { createTestDatabase } from '@vuka/test-kit/postgres';
import { expect, test, vi } from 'vitest';
import { createDatabase } from '#database.ts';
import { durabilityCheck, risksOf } from '#durability.ts';
import { createLogger } from '#logger.ts';

const SAFE = {
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  hasSynchronousStandbys: false,
  asyncStandbys: 0,
};

test('a server that waits for its disk and its standbys loses nothing', () => {
  expect(risksOf(SAFE)).toEqual([]);
  const replicated = { ...SAFE, hasSynchronousStandbys: true };
  for (const synchronousCommit of ['on', 'remote_apply'])
    expect(risksOf({ ...replicated, synchronousCommit })).toEqual([]);
  // Without a standby, each of these waits for the disk.
  for (const synchronousCommit of ['local', 'remote_write'])
    expect(risksOf({ ...SAFE, synchronousCommit })).toEqual([]);
});

test.each([
  ['fsync', { fsync: 'off' }],
  ['full_page_writes', { fullPageWrites: 'off' }],
  ['synchronous_commit', { synchronousCommit: 'off' }],
  ['synchronous_commit', { hasSynchronousStandbys: true, synchronousCommit: 'local' }],
  ['synchronous_commit', { hasSynchronousStandbys: true, synchronousCommit: 'remote_write' }],
  ['asynchronous standby', { asyncStandbys: 1 }],
])('a risk by %s is named', (name, changed) => {
  const risks = risksOf({ ...SAFE, ...changed });
  expect(risks).toHaveLength(1);
  expect(risks[0]).toContain(name);
});

test('a process warns at its start when commits do not wait for the disk', async () => {
  const server = await createTestDatabase('durability');
  const logger = createLogger({ service: 'test', level: 'silent' });
  const warn = vi.spyOn(logger, 'warn');
  const url = new URL(server.url);
  url.searchParams.set('options', '-c synchronous_commit=off');
  const { db, close } = createDatabase({ url: url.toString(), service: 'test', logger });
  await durabilityCheck({ db, logger }).start();
  expect(JSON.stringify(warn.mock.calls)).toContain('synchronous_commit is off');
  await close();
  await server.drop();
});
