import type { Payment } from '@vuka/local/testing/booked';
import { expect, test } from 'vitest';
import { checkAfterwards } from './check-afterwards.ts';
import type { Asked } from './provider-record.ts';

const asked = (id: string) => ({ id: `payout-${id}`, transferId: id }) as Asked;
const paid = (id: string) => ({ id: `payout-${id}` }) as Payment;
const before = { asked: [asked('a')], payments: [paid('a')] };
const check = (after: { asked?: Asked[]; payments?: Payment[] }, status = 'SETTLED') =>
  checkAfterwards([{ id: 'a', status }], before, {
    asked: [...before.asked, ...(after.asked ?? [])],
    payments: [...before.payments, ...(after.payments ?? [])],
  });

test('a request that was repeated once more is as it should be', () => {
  expect(check({ asked: [asked('a')] })).toEqual({ doubled: [], violations: [] });
});

test('a payment after the end is found, also a second one of the same payout', () => {
  expect(check({ payments: [paid('a')] })).toEqual({
    doubled: ['payout payout-a: paid after every transfer had ended'],
    violations: [],
  });
});

test('a request under an id that was unknown until then is found', () => {
  expect(check({ asked: [asked('b')] })).toEqual({
    doubled: [],
    violations: ['payout payout-b: requested for the first time after every transfer had ended'],
  });
});

test('a transfer that has not ended, which is found elsewhere, may still be requested and paid', () => {
  const late = { ...asked('a'), id: 'payout-late' };
  expect(check({ asked: [late], payments: [{ ...paid('a'), id: 'payout-late' }] }, 'PROCESSING')).toEqual({
    doubled: [],
    violations: [],
  });
});
