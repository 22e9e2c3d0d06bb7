import { expect, test } from 'vitest';
import { allowed, readReason, reason } from './reason.ts';
import { fill } from './text.ts';

test('a reason and its parameters are read from the message of a rule', () => {
  expect(readReason(reason('pin_length'))).toEqual({ reason: 'pin_length' });
  const params = { max: 40 };
  expect(readReason(reason('name_too_long', params))).toEqual({ reason: 'name_too_long', params });
  expect(readReason(reason('status_unknown', { allowed: 'A } or "B"' }))?.params).toEqual({ allowed: 'A } or "B"' });
});

test.each(['Invalid input', 'Size must be whole', '', 'pin_length!', 'pin_length {'])(
  'the message %o of another library is no reason',
  (message) => {
    expect(readReason(message)).toBeUndefined();
  },
);

test('a text is filled with its parameters, in the singular for one', () => {
  const text = 'Try {what} again in {minutes} {minutes|minute|minutes}.';
  expect(fill(text, { what: 'it', minutes: 1 })).toBe('Try it again in 1 minute.');
  expect(fill(text, { what: '$&', minutes: 5 })).toBe('Try $& again in 5 minutes.');
  expect(fill('Nothing to fill')).toBe('Nothing to fill');
});

test('amounts in a text have thousands separators, and other digits none', () => {
  expect(fill('{left} of {limit}', { left: '12000.00', limit: '1234567.50' })).toBe('12,000.00 of 1,234,567.50');
  expect(fill('{phone} {small}', { phone: '+255712345678', small: '999.00' })).toBe('+255712345678 999.00');
});

test('the values that a field may have are listed as in a sentence', () => {
  expect(allowed(['A', 'B'])).toEqual({ allowed: 'A or B' });
  expect(allowed(['A', 'B', 'C'])).toEqual({ allowed: 'A, B or C' });
});

test('a reason needs exactly the parameters of its text', () => {
  // @ts-expect-error: `max` is missing.
  reason('name_too_long');
  // @ts-expect-error: `least` is not a parameter.
  reason('name_too_long', { least: 1 });
  // @ts-expect-error: the text has no parameters.
  reason('pin_length', { max: 4 });
  // @ts-expect-error: there is no such reason.
  reason('pin_forgotten');
});
