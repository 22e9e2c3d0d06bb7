import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { findFreePort, sliceOfPorts } from './free-port.ts';

const { randomInt } = vi.hoisted(() => ({ randomInt: vi.fn() }));
vi.mock('node:crypto', async (original) => ({ ...(await original<typeof import('node:crypto')>()), randomInt }));

afterEach(() => vi.unstubAllEnvs());

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

it('chooses within the range of the program', async () => {
  randomInt.mockImplementation((from: number) => from);
  vi.stubEnv('VUKA_PORTS', '20000-20999');
  expect(await findFreePort()).toBeGreaterThanOrEqual(20_000);
  expect(randomInt).toHaveBeenLastCalledWith(20_000, 21_000);
  for (const wrong of ['20000', '20999-20000', '0-10', '60000-70000', 'a-b']) {
    vi.stubEnv('VUKA_PORTS', wrong);
    await expect(findFreePort()).rejects.toThrow('VUKA_PORTS must be two ports');
  }
});

it('chooses no port twice, even if nothing listens on it', async () => {
  randomInt.mockReturnValueOnce(21_001).mockReturnValueOnce(21_001).mockReturnValueOnce(21_002);
  const first = await findFreePort();
  expect(await findFreePort()).not.toBe(first);
});

it('divides the ports without an overlap', () => {
  expect([1, 2, 3, 4].map((number) => sliceOfPorts(number, 4))).toEqual([
    '16384-20479',
    '20480-24575',
    '24576-28671',
    '28672-32767',
  ]);
  expect(sliceOfPorts(5, 4)).toBe(sliceOfPorts(1, 4));
});
