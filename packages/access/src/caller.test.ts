import { AppError } from '@vuka/service-kit/app-error';
import { merchantCaller } from '@vuka/test-kit/callers';
import { expect, test } from 'vitest';
import {
  adminOf,
  type Caller,
  callerOf,
  confirmedAdminOf,
  decidingAdminOf,
  decodeCaller,
  encodeCaller,
} from './caller.ts';

const amina: Caller = { ...merchantCaller, pinVerified: false, pinRecent: false };
const admin: Caller = { ...amina, isAdmin: true, role: 'finance' };
const secured: Caller = { ...admin, factor: 'verified' };

const requestOf = (caller?: Caller) => ({
  headers: caller ? { 'x-vuka-caller': encodeCaller(caller) } : {},
});

test('a caller is read as it was written, whatever the letters of the name', () => {
  expect(decodeCaller(encodeCaller({ ...amina, name: 'Amina Juma — 阿米娜' }))).toEqual({
    ...amina,
    name: 'Amina Juma — 阿米娜',
  });
});

test.each([undefined, '', 'e30', '{}', 'not base64url', ['a', 'b']])('%j is no caller', (text) => {
  expect(() => decodeCaller(text)).toThrow(expect.objectContaining({ reason: 'not_signed_in' }));
});

const guards = { callerOf, adminOf, confirmedAdminOf, decidingAdminOf };
const everyone = {
  'no caller': undefined,
  'a merchant': amina,
  'a merchant with the PIN': { ...amina, pinVerified: true },
  'an administrator': admin,
  'an administrator with a recent PIN': { ...admin, pinRecent: true },
  'an administrator with the PIN': { ...admin, pinVerified: true },
  'an administrator of another role': { ...admin, role: 'support', pinVerified: true },
  'an administrator without a role': { ...admin, role: null, pinVerified: true },
  'one who has to add a factor': { ...admin, factor: 'enrol', pinVerified: true },
  'one who has to give the factor': { ...admin, factor: 'pending', pinVerified: true },
  'one with an old factor': { ...secured, pinRecent: true },
  'one with an old factor and the PIN': { ...secured, pinVerified: true },
  'one with a recent factor': { ...secured, factorRecent: true },
  'one with a recent factor and the PIN': { ...secured, factorRecent: true, pinVerified: true },
} as const satisfies Record<string, Caller | undefined>;

test.each([
  ['no caller', 'unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated'],
  ['a merchant', 'allowed', 'forbidden', 'forbidden', 'forbidden'],
  ['a merchant with the PIN', 'allowed', 'forbidden', 'forbidden', 'forbidden'],
  ['an administrator', 'allowed', 'allowed', 'step_up_required', 'invalid_pin'],
  ['an administrator with a recent PIN', 'allowed', 'allowed', 'allowed', 'invalid_pin'],
  ['an administrator with the PIN', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['an administrator of another role', 'allowed', 'forbidden', 'forbidden', 'forbidden'],
  ['an administrator without a role', 'allowed', 'forbidden', 'forbidden', 'forbidden'],
  ['one who has to add a factor', 'allowed', 'forbidden', 'forbidden', 'forbidden'],
  ['one who has to give the factor', 'allowed', 'forbidden', 'forbidden', 'forbidden'],
  ['one with an old factor', 'allowed', 'allowed', 'step_up_required', 'invalid_pin'],
  ['one with an old factor and the PIN', 'allowed', 'allowed', 'step_up_required', 'step_up_required'],
  ['one with a recent factor', 'allowed', 'allowed', 'allowed', 'invalid_pin'],
  ['one with a recent factor and the PIN', 'allowed', 'allowed', 'allowed', 'allowed'],
] as const)('%s: %s as a caller, %s as an administrator, %s when confirmed, %s to decide', (who, ...expected) => {
  const answers = Object.values(guards).map((guard) => {
    try {
      expect(guard(requestOf(everyone[who]), 'rates.set')).toEqual(everyone[who]);
      return 'allowed';
    } catch (error) {
      return error instanceof AppError ? error.code : error;
    }
  });
  expect(answers).toEqual(expected);
});
