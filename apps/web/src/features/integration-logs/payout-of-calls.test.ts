import { describe, expect, it } from 'vitest';
import { payoutOfCalls } from './payout-of-calls.ts';

const recipient = { type: 'MMO', accountDetails: { phoneNumber: '255763456789', provider: 'VODACOM_TZA' } };
const request = { payoutId: 'p', amount: '23030', currency: 'TZS', recipient };

describe('the payout of a transaction’s calls', () => {
  it('is named by its request, wherever that is among the calls', () => {
    const calls = [{ requestBody: null }, { requestBody: { status: 'COMPLETED' } }, { requestBody: request }];
    expect(payoutOfCalls(calls)).toEqual({ amount: '23030', currency: 'TZS', phone: '+255763456789' });
  });

  it('is unknown if a body is cut off, is text, or names no number', () => {
    const bodies = ['{"amount":"23', { ...request, recipient: undefined }, { ...request, amount: 23_030 }, undefined];
    expect(payoutOfCalls(bodies.map((requestBody) => ({ requestBody })))).toBeUndefined();
  });
});
