import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import { expect, onTestFinished, test } from 'vitest';
import { withBroker } from '#queues.ts';

async function brokerBehindProxy() {
  const vhost = await createTestVhost('proved_queues');
  onTestFinished(() => vhost.drop());
  const url = new URL(vhost.amqpUrl);
  const proxy = await createTcpProxy({ host: url.hostname, port: Number(url.port || 5672) });
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { url: url.toString(), proxy };
}

test('work whose broker is lost at its end has its result, and does not wait for the end of the connection', async () => {
  const { url, proxy } = await brokerBehindProxy();
  const done = await withBroker(url, async (connection) => {
    await connection.createChannel();
    proxy.pause();
    return 'done';
  });
  expect(done).toBe('done');
});

test('work whose broker is lost in the middle fails', async () => {
  const { url, proxy } = await brokerBehindProxy();
  const work = withBroker(url, async () => {
    proxy.cut();
    await new Promise(() => undefined);
  });
  await expect(work).rejects.toThrow();
});
