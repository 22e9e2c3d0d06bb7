import { spawnSync } from 'node:child_process';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type BreakablePostgres, startPostgres } from '#servers.ts';

const canCompile = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;
let postgres: BreakablePostgres;

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.directUrl });
  client.on('error', () => undefined); // the statement fails too
  await client.connect();
  return (await client.query(text).finally(() => client.end().catch(() => undefined))).rows;
}

const write = (row: string) => query(`insert into written values ('${row}')`);
const rows = async () => (await query('select row from written order by row')).map(({ row }) => row);

describe.skipIf(!canCompile)('a Postgres on a faulty disk', () => {
  beforeAll(async () => {
    postgres = await startPostgres({ onFaultyDisk: true });
    await query('create table written (row text)');
  });

  beforeEach(() => query('truncate written'));

  afterAll(() => postgres.stop());

  test('keeps what it committed when the power fails', async () => {
    await write('before');
    await query('checkpoint');
    await write('after');
    await postgres.cutPower();
    expect(await rows()).toEqual(['after', 'before']);
  });

  test('is out of space for what is new, and then has what it had', async () => {
    await write('before');
    await postgres.disk?.set('full');
    await expect(
      query("insert into written select repeat('x', 1000) from generate_series(1, 9999)"),
    ).rejects.toMatchObject({ code: '53100' });
    expect(await rows()).toEqual(['before']);
    await postgres.disk?.set('sound');
    await postgres.recover();
    await write('later');
    expect(await rows()).toEqual(['before', 'later']);
  });

  test('commits as late as its disk syncs', async () => {
    await postgres.disk?.set('slow', 300);
    const startedMs = performance.now();
    await write('slowly');
    expect(performance.now() - startedMs).toBeGreaterThan(299);
    await postgres.disk?.set('sound');
  });

  test.each(['writes fail', 'syncs fail'] as const)(
    'acknowledges nothing while %s, and then has what it had',
    async (mode) => {
      await write('before');
      await postgres.disk?.set(mode, 1);
      await expect(write('refused')).rejects.toThrow();
      await postgres.disk?.set('sound');
      await postgres.recover();
      expect(await rows()).toContain('before');
    },
  );
});

test.skipIf(!canCompile).each([
  ['keeps its commits when it is killed', 'killAndRestart', ['not synced', 'synced']],
  ['loses them when the power fails', 'cutPower', ['synced']],
] as const)('a Postgres that does not sync %s', async (_, end, left) => {
  postgres = await startPostgres({ onFaultyDisk: true });
  onTestFinished(() => postgres.stop());
  await query('create table written (row text)');
  await write('synced');
  await query('alter system set fsync = off');
  await query('select pg_reload_conf()');
  await until(async () => (await query('show fsync'))[0]?.fsync === 'off');
  await write('not synced');
  await postgres[end]();
  expect(await rows()).toEqual(left);
});
