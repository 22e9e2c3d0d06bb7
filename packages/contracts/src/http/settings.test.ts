import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SystemSettingsChange } from './settings.ts';

const settings = {
  systemName: 'Vuka',
  supportEmail: 'help@vuka.test',
  maxPinAttempts: 3,
  autoLogoutMinutes: 30,
};

test.each([
  [100_000, '100000'],
  ['100000', '100000'],
  ['100000.00', '100000.00'],
])('an approval limit may be sent as a number or as a numeric string: %s', (sent, taken) => {
  const withdrawalApprovalLimit = { KES: sent, TZS: sent };
  const parsed = z.parse(SystemSettingsChange, { ...settings, withdrawalApprovalLimit });
  expect(parsed.withdrawalApprovalLimit).toEqual({ KES: taken, TZS: taken });
});

test.each([1.5, -1, 1e21, Number.NaN, '1e3', '', null, [], true])('an approval limit of %s is refused', (sent) => {
  const withdrawalApprovalLimit = { KES: sent, TZS: '1' };
  const parsed = z.safeParse(SystemSettingsChange, { ...settings, withdrawalApprovalLimit });
  expect(parsed.error?.issues[0]?.message).toBe('approval_limit_not_whole');
});
