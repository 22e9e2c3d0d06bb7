import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, serviceSettings } from '@vuka/service-kit/config';
import { createServiceTokens } from '@vuka/service-kit/service-tokens';
import { describe, expect, test } from 'vitest';
import { fillIn } from './env-file.ts';
import { changeKeys, type Step, type Values } from './key-lists.ts';
import { ROOT } from './start-settings.ts';

const [OLD, OLDER] = ['an old secret of at least 32 characters', 'an older secret of at least 32 characters'];
const FILLED = fillIn(readFileSync(join(ROOT, '.env.example'), 'utf8'));
const written: Values = Object.fromEntries(
  [...FILLED.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const pepper = (text: string, step: Step) => changeKeys({ VUKA_PIN_PEPPER: text }, step, 'pin-pepper').VUKA_PIN_PEPPER;

test('a secret is replaced in three steps: added, used, and the old one removed', () => {
  const added = pepper(OLD, 'add') ?? '';
  const [used, waiting] = added.split(',');
  expect([used, waiting?.length]).toEqual([OLD, 43]);
  const swapped = pepper(added, 'use') ?? '';
  expect(swapped).toBe(`${waiting},${OLD}`);
  expect(pepper(swapped, 'use')).toBe(added);
  expect(pepper(swapped, 'remove')).toBe(waiting);
  for (const step of ['use', 'remove'] as const) expect(() => pepper(OLD, step)).toThrow('has one key only');
});

test('keys whose signatures have no end are never removed, and a new one comes before the older ones', () => {
  const added = changeKeys({ VUKA_RECEIPT_KEY: `${OLD},${OLDER}` }, 'add', 'receipt-key');
  const used = changeKeys(added, 'use', 'receipt-key').VUKA_RECEIPT_KEY?.split(',');
  expect(used?.slice(1)).toEqual([OLD, OLDER]);
  expect(() => changeKeys(added, 'remove', 'receipt-key')).toThrow('it stays in the list');
});

test('an unknown name, and a secret that is not set, are refused', () => {
  expect(() => changeKeys({}, 'add', 'loaf')).toThrow('There is no secret loaf here');
  expect(() => changeKeys({}, 'add', 'pin-pepper')).toThrow('pin-pepper is not set here');
});

describe('a new file of settings', () => {
  test('has every secret, each another one, and its service keys fit', () => {
    const empty = Object.entries(written).filter(([, value]) => value === '');
    expect(empty.map(([name]) => name)).toEqual(['VUKA_RECEIPT_OLD_KEYS']);
    const secrets = Object.values(written).filter((value) => /^[\w-]{43,}$/.test(value ?? ''));
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(fillIn(FILLED)).toBe(FILLED);
  });

  const tokensOf = (values: Values, service: string) => {
    const env = { ...values, VUKA_SERVICE_KEY: values[`VUKA_SERVICE_KEY_${service.toUpperCase()}`] };
    const { VUKA_SERVICE_KEY, VUKA_SERVICE_PUBLIC_KEYS } = serviceSettings;
    const settings = readConfig({ VUKA_SERVICE_KEY, VUKA_SERVICE_PUBLIC_KEYS }, env);
    return createServiceTokens({
      service,
      privateKey: settings.VUKA_SERVICE_KEY,
      publicKeys: settings.VUKA_SERVICE_PUBLIC_KEYS,
    });
  };

  test('replaces a service’s key in steps, at each of which services of the step before accept it', async () => {
    let [before, after]: [Values, Values] = [written, written];
    for (const step of ['add', 'use', 'remove'] as const) {
      [before, after] = [after, { ...after, ...changeKeys(after, step, 'gateway') }];
      for (const [from, to] of [
        [before, after],
        [after, before],
        [after, after],
      ] as const) {
        const token = await tokensOf(from, 'gateway').tokenFor('wallet');
        expect(await tokensOf(to, 'wallet').verify(token), step).toBe('gateway');
      }
    }
    const stolen = await tokensOf(written, 'gateway').tokenFor('wallet');
    expect(await tokensOf(after, 'wallet').verify(stolen)).toBeUndefined();
  });
});
