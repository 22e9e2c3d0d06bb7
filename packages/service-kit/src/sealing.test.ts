import { expect, test } from 'vitest';
import { keyringSetting, readKeyring } from './keyring.ts';
import { createSealing } from './sealing.ts';

const [OLD, NEW] = ['an old secret of at least 32 characters', 'a new secret of at least 32 characters'];
const text = Buffer.from('flour, water, salt');

test('a sealed value opens in its place, and shows nothing of itself', () => {
  const sealing = createSealing(readKeyring(OLD), 'recipes');
  const sealed = sealing.seal(text, 'bread');
  expect(sealing.open(sealed, 'bread')).toEqual(text);
  expect(sealed.includes('flour')).toBe(false);
  expect(sealing.seal(text, 'bread')).not.toEqual(sealed);
});

test('it opens in no other place, for no other purpose, with no other key, and not when a bit was changed', () => {
  const sealing = createSealing(readKeyring(OLD), 'recipes');
  const sealed = sealing.seal(text, 'bread');
  expect(() => sealing.open(sealed, 'cake')).toThrow();
  expect(() => createSealing(readKeyring(OLD), 'prices').open(sealed, 'bread')).toThrow();
  expect(() => createSealing(readKeyring(NEW), 'recipes').open(sealed, 'bread')).toThrow('no key with id');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => sealing.open(changed, 'bread'), `byte ${at}`).toThrow();
  }
});

test('a key is replaced in three steps, and at each what was sealed opens', () => {
  const before = createSealing(readKeyring(OLD), 'recipes');
  const added = createSealing(readKeyring(`${OLD},${NEW}`), 'recipes');
  const used = createSealing(readKeyring(`${NEW}, ${OLD}`), 'recipes');
  const removed = createSealing(readKeyring(NEW), 'recipes');
  const sealed = before.seal(text, 'bread');
  expect(added.isCurrent(sealed)).toBe(true);
  expect(used.open(sealed, 'bread')).toEqual(text);
  expect(used.isCurrent(sealed)).toBe(false);
  // Replicas that do not use the new key yet, and those that do, read each other's.
  expect(added.open(used.seal(text, 'bread'), 'bread')).toEqual(text);
  expect(removed.open(used.seal(text, 'bread'), 'bread')).toEqual(text);
});

test.each(['', ',', 'short', `${OLD},short`])('%j is no keyring', (setting) => {
  expect(keyringSetting().safeParse(setting).success).toBe(false);
});

test('keys have ids of their own that do not reveal them', () => {
  const { all, current, find } = readKeyring(`${NEW},${OLD}`);
  expect(new Set(all.map(({ id }) => id)).size).toBe(2);
  expect(current.secret).toBe(NEW);
  expect(find(current.id)).toBe(current);
  expect(current.id).toMatch(/^[0-9a-f]{16}$/);
});
