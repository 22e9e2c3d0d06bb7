import { expect, test } from 'vitest';
import { createSerial } from './serial.ts';

test('work of one key runs in order, other keys run in parallel, and a failure delays none of them', async () => {
  const serial = createSerial();
  const log: string[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = serial('a', async () => {
    await gate;
    log.push('a1');
    throw new Error('broken');
  });
  const second = serial('a', async () => log.push('a2'));
  await serial('b', async () => log.push('b1'));
  release();
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(log).toEqual(['b1', 'a1', 'a2']);
});

test('work beyond the limit of a key is refused', async () => {
  const serial = createSerial(1);
  const first = serial('a', async () => 1);
  await expect(serial('a', async () => 2)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await first).toBe(1);
  expect(await serial('a', async () => 3)).toBe(3);
});
