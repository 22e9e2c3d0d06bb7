import { expect, test } from 'vitest';
import type { PayoutRow } from '#db/schema.ts';
import type { EffectName } from '#effects/effect.domain.ts';
import { toCallback } from './payout.view.ts';

const PAID = {
  id: '0190a000-0000-4000-8000-000000000001',
  kind: 'payout',
  effects: [],
  status: 'COMPLETED',
  amount: '23030',
  currency: 'TZS',
  country: 'TZA',
  request: { recipient: { type: 'MMO', accountDetails: { phoneNumber: '255763456789', provider: 'VODACOM_TZA' } } },
  created_at: new Date(0),
  failure_code: null,
} as unknown as PayoutRow;

const effect = (name: EffectName, params: Record<string, string> = {}) => [{ name, params, scenarioId: 1 }] as never;

test.each<EffectName>(['forged_signature', 'unsigned', 'of_another_customer'])(
  'a callback that is %s may say another state',
  (name) => {
    expect(toCallback(PAID, effect(name, { says: 'FAILED' }))).toMatchObject({
      status: 'FAILED',
      amount: '23030',
      failureReason: { failureCode: 'RECIPIENT_NOT_FOUND' },
    });
    expect(toCallback(PAID, effect(name)).status).toBe('COMPLETED');
  },
);

test('a genuine callback never says another state', () => {
  expect(toCallback(PAID, effect('callback_late', { says: 'FAILED' })).status).toBe('COMPLETED');
});
