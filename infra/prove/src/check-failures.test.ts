import { expect, test } from 'vitest';
import { failedUnrefused } from './check-failures.ts';
import type { Decision } from './history.ts';
import type { Asked } from './provider-record.ts';

const failed = [{ id: 't', status: 'FAILED' }];
const asked = { id: 'p', transferId: 't', isRefused: false } as Asked;
const declined = { withdrawalId: 't', kind: 'refuse', status: 200 } as Decision;
const check = (change: { holds?: string[]; payouts?: string[]; asked?: Asked[]; decisions?: Decision[] }) =>
  failedUnrefused(
    failed,
    { holds: new Set(change.holds), payouts: new Set(change.payouts) },
    { asked: change.asked ?? [asked], decisions: change.decisions ?? [] },
  );

test.each([
  ['the wallet refused its hold', { holds: ['t'], asked: [] }],
  ['the provider refused its first request', { asked: [{ ...asked, isRefused: true }] }],
  ['the provider refused a repeat', { asked: [asked, { ...asked, isRefused: true }] }],
  ['its payout failed', { payouts: ['p'] }],
  ['an administrator refused it', { decisions: [declined] }],
  ['an administrator could not pay it by hand', { decisions: [{ ...declined, kind: 'fail' as const }] }],
  ['the answer to its refusal was lost', { decisions: [{ ...declined, status: undefined }] }],
])('a transfer may fail if %s', (_, change) => {
  expect(check(change)).toEqual([]);
});

test.each([
  ['nobody did anything', {}],
  ['it was never requested', { asked: [] }],
  ['another hold was refused', { holds: ['u'] }],
  ['the payout of another one failed', { payouts: ['q'] }],
  ['the request of another one was refused', { asked: [asked, { ...asked, transferId: 'u', isRefused: true }] }],
  ['its refusal came too late', { decisions: [{ ...declined, status: 409 }] }],
  ['it was approved', { decisions: [{ ...declined, kind: 'approve' as const }] }],
])('a transfer that failed is found if %s', (_, change) => {
  expect(check(change)).toEqual(['t: FAILED, but nobody refused it']);
});

test('a transfer that has not failed needs no refusal', () => {
  expect(
    failedUnrefused(
      [{ id: 't', status: 'SETTLED' }],
      { holds: new Set(), payouts: new Set() },
      { asked: [], decisions: [] },
    ),
  ).toEqual([]);
});
