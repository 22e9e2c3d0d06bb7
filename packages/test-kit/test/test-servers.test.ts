import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../src/postgres.ts';
import { createTestVhost } from '../src/rabbitmq.ts';
import { createTcpProxy } from '../src/tcp-proxy.ts';
import { until } from '../src/until.ts';

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('suites get separate databases, dropped even while in use', async () => {
  const [first, second] = await Promise.all([createTestDatabase('first'), createTestDatabase('second')]);
  await query(first.url, 'create table only_here (id int)');
  expect(await query(second.url, "select to_regclass('only_here') as found")).toEqual([{ found: null }]);
  const lingering = new pg.Client({ connectionString: first.url });
  lingering.on('error', () => undefined);
  await lingering.connect();
  await Promise.all([first.drop(), second.drop()]);
  await expect(query(first.url, 'select 1')).rejects.toThrow('does not exist');
});

test('suites get separate virtual hosts', async () => {
  const vhost = await createTestVhost('own');
  await vhost.management('PUT', `/api/queues/${vhost.name}/only-here`, { durable: true });
  const queues = await vhost.management('GET', `/api/queues/${vhost.name}`);
  expect(queues).toMatchObject([{ name: 'only-here' }]);
  await vhost.drop();
  await expect(vhost.management('GET', `/api/queues/${vhost.name}`)).rejects.toThrow('404');
});

test('a proxy cuts connections, and delays and drops answers', async () => {
  const database = await createTestDatabase('proxy');
  const url = new URL(database.url);
  const proxy = await createTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  url.hostname = '127.0.0.1';
  const client = new pg.Client({ connectionString: url.toString() });
  client.on('error', () => undefined);
  await client.connect();

  let held = 'waiting';
  proxy.pause();
  const answer = client.query('select 1 as one').then(() => {
    held = 'answered';
  });
  await query(database.url, 'select 1');
  expect(held).toBe('waiting');
  proxy.restore();
  await answer;

  proxy.dropAnswers();
  const lost = client.query('create table arrived (id int)').catch(() => 'lost');
  await until(async () => (await query(database.url, "select to_regclass('arrived') as found"))[0].found);
  proxy.cut();
  expect(await lost).toBe('lost');
  await expect(query(url.toString(), 'select 1')).rejects.toThrow();
  proxy.restore();
  expect(await query(url.toString(), 'select 1 as one')).toEqual([{ one: 1 }]);
  await proxy.close();
  await database.drop();
});
