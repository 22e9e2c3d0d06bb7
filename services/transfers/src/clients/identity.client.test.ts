import { AppError } from '@vuka/service-kit/app-error';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { expect, test } from 'vitest';
import { createIdentityClient } from './identity.client.ts';

/** Identity, with one account blocked, one that it does not know, and one about which it does not answer. */
function identity() {
  const seen = { calls: 0, underWay: 0, most: 0 };
  const http = {
    async get(path: string) {
      seen.calls += 1;
      seen.underWay += 1;
      seen.most = Math.max(seen.most, seen.underWay);
      await new Promise(setImmediate);
      seen.underWay -= 1;
      if (path.includes('unanswered')) throw new AppError('unavailable');
      if (path.includes('unknown')) throw new AppError('merchant_not_found');
      return { isClosed: false, isBlocked: path.includes('blocked') };
    },
  };
  return { seen, client: createIdentityClient(http as unknown as ServiceClient) };
}

test('of a thousand accounts, at most a hundred are asked about at once, each once', async () => {
  const { seen, client } = identity();
  const asked = Array.from({ length: 1_000 }, (_, index) => client.isBlocked(`user-${index}`));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([false]));
  expect(seen).toMatchObject({ calls: 1_000, most: 100 });
  await Promise.all(Array.from({ length: 50 }, () => client.isBlocked('user-1')));
  expect(seen.calls).toBe(1_001);
});

test('an account without an answer leaves the others theirs, and an unknown one is not blocked', async () => {
  const { client } = identity();
  const asked = ['blocked', 'unanswered', 'unknown', 'user'].map((userId) => client.isBlocked(userId));
  const said = (await Promise.allSettled(asked)).map((one) => (one.status === 'fulfilled' ? one.value : 'rejected'));
  expect(said).toEqual([true, 'rejected', false, false]);
});
