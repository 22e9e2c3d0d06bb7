import { randomBytes, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { privateKeyOf, publicTextOf } from './ed25519.ts';
import { createServiceTokens } from './service-tokens.ts';

const seeds = { oven: randomBytes(32), till: randomBytes(32), shop: randomBytes(32) };
const publicOf = (seed: Buffer) => publicTextOf(privateKeyOf(seed));
const publicKeys = new Map(Object.entries(seeds).map(([name, seed]) => [name, [publicOf(seed)]]));
const tokensOf = (service: keyof typeof seeds, now = Date.now, nowMs = now) =>
  createServiceTokens({ service, privateKey: seeds[service], publicKeys, now, nowMs });
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A token of any content, signed with any key. */
function forge(header: object, payload: object, seed: Buffer): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKeyOf(seed)).toString('base64url')}`;
}

const MINUTE_MS = 60_000;

test('a service knows which service calls it', async () => {
  const token = await tokensOf('till').tokenFor('oven');
  expect(await tokensOf('oven').verify(token)).toBe('till');
});

test('a token for one service is worth nothing at another, so that a called service cannot pass it on', async () => {
  const token = await tokensOf('till').tokenFor('oven');
  expect(await tokensOf('shop').verify(token)).toBeUndefined();
});

test('a stolen key speaks for its own service only', async () => {
  const token = await tokensOf('till').tokenFor('oven');
  const [header, payload] = token.split('.').slice(0, 2).map(decode) as [object, object];
  const asShop = { ...payload, iss: 'shop' };
  const oven = tokensOf('oven');
  expect(await oven.verify(forge(header, payload, seeds.till))).toBe('till');
  expect(await oven.verify(forge(header, asShop, seeds.till))).toBeUndefined();
  expect(await oven.verify(forge({ ...header, kid: publicOf(seeds.shop) }, asShop, seeds.till))).toBeUndefined();
});

test('a token that was changed, is unsigned, incomplete or garbage is refused', async () => {
  const token = await tokensOf('till').tokenFor('oven');
  const [header, payload, signature = ''] = token.split('.');
  const [readHeader, readPayload] = [decode(header), decode(payload)];
  const oven = tokensOf('oven');
  const { exp: _, ...endless } = readPayload;
  const { iat: __, ...undated } = readPayload;
  const refused = [
    `${header}.${encode({ ...readPayload, iss: 'shop' })}.${signature}`,
    `${encode({ alg: 'none', kid: readHeader.kid })}.${payload}.`,
    `${encode({ ...readHeader, alg: 'HS256' })}.${payload}.${signature}`,
    forge(readHeader, endless, seeds.till),
    forge(readHeader, undated, seeds.till),
    forge({ ...readHeader, kid: 'unknown' }, readPayload, seeds.till),
    forge(readHeader, { ...readPayload, aud: undefined }, seeds.till),
    ...['', '.', '..', 'a.b.c', 'e30.e30.e30', 'x'.repeat(10_000)],
  ];
  for (const each of refused) expect(await oven.verify(each), each).toBeUndefined();
});

test('a token expires, also one that was accepted before; the clocks of two services may differ by four minutes', async () => {
  let aheadMs = 0;
  const token = await tokensOf('till').tokenFor('oven');
  const oven = tokensOf('oven', () => Date.now() + aheadMs);
  for (const [minutes, from] of [
    [-4.5, undefined],
    [-3.5, 'till'],
    [0, 'till'],
    [8.5, 'till'],
    [9.5, undefined],
  ] as const) {
    aheadMs = minutes * MINUTE_MS;
    // Once with what the service remembers, and once without.
    expect(await tokensOf('oven', () => Date.now() + aheadMs).verify(token), `${minutes}`).toBe(from);
    if (minutes >= 0) expect(await oven.verify(token), `${minutes}`).toBe(from);
  }
});

test('a token is signed once a minute, not once per call', async () => {
  let nowMs = Date.now();
  const till = tokensOf('till', () => nowMs);
  const [first, second] = [await till.tokenFor('oven'), await till.tokenFor('oven')];
  nowMs += MINUTE_MS + 1;
  expect(second).toBe(first);
  expect(await till.tokenFor('oven')).not.toBe(first);
});

test('while a key is being replaced, tokens of both are accepted', async () => {
  const next = randomBytes(32);
  const both = new Map([...publicKeys, ['till', [publicOf(seeds.till), publicOf(next)]]]);
  const oven = createServiceTokens({ service: 'oven', privateKey: seeds.oven, publicKeys: both });
  for (const privateKey of [seeds.till, next]) {
    const till = createServiceTokens({ service: 'till', privateKey, publicKeys: both });
    expect(await oven.verify(await till.tokenFor('oven'))).toBe('till');
  }
});

test('a service does not start with a key that the others would not accept, or that two services share', () => {
  expect(() => createServiceTokens({ service: 'till', privateKey: randomBytes(32), publicKeys })).toThrow(
    'is not listed under its name',
  );
  const shared = new Map([...publicKeys, ['oven', [publicOf(seeds.till)]]]);
  expect(() => createServiceTokens({ service: 'till', privateKey: seeds.till, publicKeys: shared })).toThrow(
    'is listed twice',
  );
});

test('after the clock was set back by an hour, a new token is signed, and tokens end when they would have', async () => {
  let [wall, monotonic] = [Date.now(), 0];
  const till = tokensOf(
    'till',
    () => wall,
    () => monotonic,
  );
  const oven = tokensOf(
    'oven',
    () => wall,
    () => monotonic,
  );
  const before = await till.tokenFor('oven');
  expect(await oven.verify(before)).toBe('till');
  wall -= 60 * MINUTE_MS;
  const after = await till.tokenFor('oven');
  expect(after).not.toBe(before);
  expect(await oven.verify(after)).toBe('till');
  monotonic += 10 * MINUTE_MS;
  wall += 10 * MINUTE_MS;
  expect([await oven.verify(before), await oven.verify(after)]).toEqual([undefined, undefined]);
});
