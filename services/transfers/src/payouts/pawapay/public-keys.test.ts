import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Exchange, PawapayHttp } from './pawapay-http.ts';
import { createPublicKeys } from './public-keys.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const list = [{ id: 'known', key: publicKey.export({ type: 'spki', format: 'pem' }).toString() }];
const answered: Exchange = { url: '', answer: { status: 200, json: list, text: '' } };
const HOUR_MS = 3_600_000;

/** A provider that answers its first requests at once, and later ones only when a test releases them. */
function createWorld() {
  const pending: PromiseWithResolvers<Exchange>[] = [];
  const clock = { ms: 0 };
  const http: PawapayHttp = {
    request() {
      const asked = Promise.withResolvers<Exchange>();
      pending.push(asked);
      return asked.promise;
    },
    close: async () => undefined,
  };
  return { pending, clock, keys: createPublicKeys(http, () => clock.ms) };
}

async function loaded() {
  const world = createWorld();
  const first = world.keys.find('known');
  world.pending[0]?.resolve(answered);
  await first;
  return world;
}

test('fetching an unknown key does not delay a known one', async () => {
  const { keys, pending, clock } = await loaded();
  clock.ms += 11_000;
  const forged = keys.find('forged');
  expect(pending).toHaveLength(2);
  expect(await keys.find('known')).toMatchObject({ type: 'public' });
  pending[1]?.resolve(answered);
  expect(await forged).toBeUndefined();
});

test('a short RSA key is no key', async () => {
  const { keys, pending } = createWorld();
  const pem = (modulusLength: number) =>
    generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const rsa = [
    { id: 'short', key: pem(1_024) },
    { id: 'usual', key: pem(2_048) },
  ];
  const found = Promise.all([keys.find('short'), keys.find('usual')]);
  pending[0]?.resolve({ url: '', answer: { status: 200, json: rsa, text: '' } });
  expect(await found).toEqual([undefined, expect.objectContaining({ type: 'public' })]);
});

test('an expired list is fetched again before any caller uses it', async () => {
  const { keys, pending, clock } = await loaded();
  clock.ms += HOUR_MS + 1;
  const both = Promise.all([keys.find('known'), keys.find('known')]);
  expect(pending).toHaveLength(2);
  pending[1]?.resolve({ url: '', answer: { status: 200, json: [], text: '' } });
  expect(await both).toEqual([undefined, undefined]);
});
