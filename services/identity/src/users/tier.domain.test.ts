import { expect, test } from 'vitest';
import { tierOf } from './tier.domain.ts';

const now = new Date('2026-03-02T12:00:00Z');
const user = { phone_verified_at: now, email_verified_at: now, pin_reset_at: null, is_business: false };

test('an account is verified once its phone number and its email address are', () => {
  expect(tierOf(user, now)).toBe('verified');
  expect(tierOf({ ...user, email_verified_at: null }, now)).toBe('unverified');
  expect(tierOf({ ...user, phone_verified_at: null }, now)).toBe('unverified');
});

test('a business has the limits of a business', () => {
  expect(tierOf({ ...user, is_business: true }, now)).toBe('business');
});

test('for 24 hours after a PIN reset the lowest limits apply, also to a business', () => {
  const reset = { ...user, is_business: true, pin_reset_at: new Date('2026-03-01T12:00:01Z') };
  expect(tierOf(reset, now)).toBe('unverified');
  expect(tierOf({ ...reset, pin_reset_at: new Date('2026-03-01T12:00:00Z') }, now)).toBe('business');
});
