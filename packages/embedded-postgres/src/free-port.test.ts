import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { findFreePort } from './free-port.ts';

const { randomInt } = vi.hoisted(() => ({ randomInt: vi.fn() }));
vi.mock('node:crypto', async (original) => ({ ...(await original<typeof import('node:crypto')>()), randomInt }));

it('passes over a port that another program listens on', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port: next } = free.address() as { port: number };
  free.close();
  await once(free, 'close');
  randomInt.mockReturnValueOnce(port).mockReturnValueOnce(next);

  expect(await findFreePort()).toBe(next);
  taken.close();
});

it('chooses among the ports that no system gives to outgoing connections', async () => {
  randomInt.mockImplementation((from: number) => from + 1_000);
  const port = await findFreePort();
  expect(port).toBeGreaterThanOrEqual(16_384);
  expect(port).toBeLessThan(32_768);
  const [from, to] = randomInt.mock.lastCall ?? [];
  expect([from, to]).toEqual([16_384, 32_768]);
});
