import { expect, test } from 'vitest';
import { failedUnrefused } from './check-failures.ts';
import type { Decision } from './history.ts';
import type { Asked } from './provider-record.ts';

const failed = { id: 't', user_id: 'u', status: 'FAILED', error_code: 'any reason' };
const asked = { id: 'p', transferId: 't', isRefused: false } as Asked;
const declined = { withdrawalId: 't', kind: 'refuse', status: 200 } as Decision;
interface Change {
  why?: string;
  holds?: string[];
  payouts?: string[];
  asked?: Asked[];
  decisions?: Decision[];
  blocked?: string[];
}
const check = (change: Change) =>
  failedUnrefused(
    [{ ...failed, error_code: change.why ?? failed.error_code }],
    { holds: new Set(change.holds), payouts: new Set(change.payouts) },
    { asked: change.asked ?? [asked], decisions: change.decisions ?? [], blocked: new Set(change.blocked) },
  );

test.each([
  ['the wallet refused its hold', { holds: ['t'], asked: [] }],
  ['the provider refused its first request', { asked: [{ ...asked, isRefused: true }] }],
  ['the provider refused a repeat', { asked: [asked, { ...asked, isRefused: true }] }],
  ['its payout failed', { payouts: ['p'] }],
  ['an administrator refused it', { decisions: [declined] }],
  ['an administrator could not pay it by hand', { decisions: [{ ...declined, kind: 'fail' as const }] }],
  ['its sender was blocked, and its row says so', { why: 'sender_blocked', asked: [], blocked: ['u'] }],
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
  ['its sender was blocked, but its row gives another reason', { blocked: ['u'] }],
  ['it was approved', { decisions: [{ ...declined, kind: 'approve' as const }] }],
])('a transfer that failed is found if %s', (_, change) => {
  expect(check(change)).toEqual(['t: FAILED, but nobody refused it']);
});

test('a transfer that failed for the block of its sender is found if that sender never was', () => {
  const found = ['t: FAILED, but nobody blocked its sender'];
  expect(check({ why: 'sender_blocked', blocked: ['another'] })).toEqual(found);
  expect(check({ why: 'sender_blocked', payouts: ['p'], decisions: [declined] })).toEqual(found);
});

test('a transfer that has not failed needs no refusal', () => {
  expect(
    failedUnrefused(
      [{ ...failed, status: 'SETTLED', error_code: null }],
      { holds: new Set(), payouts: new Set() },
      { asked: [], decisions: [], blocked: new Set() },
    ),
  ).toEqual([]);
});
