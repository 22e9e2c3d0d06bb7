import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { expect, onTestFinished, test } from 'vitest';
import { fillBooks } from '#fill-books.ts';
import { connectProduct, FUNDS, type Product } from '#product.ts';
import { makeDataDir, runProduct } from '#run-product.ts';
import { dropRun } from '#servers.ts';
import { drained } from '#transfers-bench.ts';

const PREFIX = 'vukafilled';
const COPIES = 30;
const DAYS = 3;

interface Listed {
  id: string;
  createdAt: string;
  recipientPhone: string;
}

test('books that were filled with copies of transfers are right for the ledger, for their owner and for the provider', {
  timeout: 180_000,
}, async () => {
  const [server, vhost] = await Promise.all([askForServer('postgres'), createTestVhost('filled')]);
  onTestFinished(() => vhost.drop(), 30_000);
  const dataDir = await makeDataDir();
  onTestFinished(() => dataDir.remove());
  await dropRun(server.url, PREFIX);
  onTestFinished(() => dropRun(server.url, PREFIX), 60_000);
  const env = {
    DATABASE_URL: server.url,
    AMQP_URL: vhost.amqpUrl,
    VUKA_DATABASE_PREFIX: PREFIX,
    SIMULATOR_DELAY_MS: '0',
    VUKA_RATE_LIMIT_FACTOR: '1000000',
  };
  const running = async <Result>(work: (product: Product) => Promise<Result>): Promise<Result> => {
    const run = await runProduct(dataDir.path, env);
    try {
      const product = await connectProduct(run);
      return await work(product).finally(() => product.close());
    } finally {
      await run.stop();
    }
  };

  const { sender, since } = await running(async (product) => {
    const [made] = await product.makeSenders(1);
    const began = new Date();
    if (!made) throw new Error('no merchant');
    for (let sent = 0; sent < 2; sent++) await product.send(made);
    await drained(product, began);
    return { sender: made, since: began };
  });
  await fillBooks({ serverUrl: server.url, prefix: PREFIX, since, copies: COPIES, days: DAYS, say: () => undefined });

  await running(async (product) => {
    expect(await product.audit()).toMatchObject({ holds: true });
    const listed = (await product.get('/api/transactions?limit=200', sender)) as Listed[];
    const sent = listed.filter(({ recipientPhone }) => recipientPhone.startsWith('+'));
    expect(sent).toHaveLength(2 * COPIES);
    expect(sent.map(({ createdAt }) => createdAt)).toEqual(
      sent
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    const spent = 100 * 2 * COPIES;
    expect(await product.get('/api/balances', sender)).toMatchObject({
      balances: { KES: `${Number(FUNDS) - spent}.00` },
    });
    const { timeline } = (await product.get(`/api/transactions/${sent.at(-1)?.id}/timeline`, sender)) as {
      timeline: { status: string }[];
    };
    expect(timeline.at(-1)?.status).toBe('SETTLED');
    // It continues where the copies end.
    const began = new Date();
    await product.send(sender);
    await drained(product, began);
    expect(await product.audit()).toMatchObject({ holds: true });
  });
});
