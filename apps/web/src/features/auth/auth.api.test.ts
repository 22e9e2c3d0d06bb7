import { expect, test } from 'vitest';
import { authFailure } from './auth.api.ts';

const TEXTS = {
  failed: 'Login failed',
  error: 'Login error',
  tryAgain: 'Login failed. Please try again.',
  unknownReason: 'Login failed for unknown reason. Please try again.',
};

test('a failure that says nothing reads failed for unknown reason', () => {
  expect(authFailure(new Error(''), TEXTS)).toEqual({ title: 'Login failed', description: TEXTS.unknownReason });
  expect(authFailure(new Error('out of memory'), TEXTS).description).toBe('out of memory');
});
