import { expect, test } from 'vitest';
import { type LegFacts, legsOf } from './legs.domain.ts';

const sent = { state: 'accepted' as const, submissions: 1 };
const written = { state: 'submitting' as const, submissions: 0 };
const facts = (changes: Partial<LegFacts>): LegFacts => ({
  step: 'created',
  isDeposit: false,
  isToMerchant: false,
  isDeclined: false,
  attempts: 0,
  payout: null,
  ...changes,
});

test.each([
  ['that was just accepted', {}, 'not_begun not_begun not_begun not_begun not_begun not_needed'],
  ['whose hold had no answer', { attempts: 2 }, 'waiting not_begun not_begun not_begun not_begun not_needed'],
  ['not sent yet', { step: 'paying_out', payout: written }, 'done done not_begun not_begun not_begun not_needed'],
  ['at the provider', { step: 'paying_out', payout: sent }, 'done done done waiting not_begun not_needed'],
  ['that is paid', { step: 'capturing', payout: sent }, 'done done done done waiting not_needed'],
  ['that is settled', { step: 'settled', payout: sent }, 'done done done done done not_needed'],
  ['that is being returned', { step: 'releasing', payout: sent }, 'done done done failed not_needed waiting'],
  ['that failed at the provider', { step: 'failed', payout: sent }, 'done done done failed not_needed done'],
  [
    'that an administrator declined',
    { step: 'failed', isDeclined: true },
    'done not_needed not_needed not_needed not_needed done',
  ],
  [
    'that was stopped before a request',
    { step: 'failed', payout: written },
    'done done not_needed not_needed not_needed done',
  ],
  ['whose hold was refused', { step: 'failed' }, 'failed not_needed not_needed not_needed not_needed not_needed'],
  [
    'to a merchant',
    { step: 'capturing', isToMerchant: true },
    'done not_needed not_needed not_needed waiting not_needed',
  ],
  [
    'that is a deposit',
    { step: 'depositing', isDeposit: true },
    'not_needed not_needed not_needed not_needed waiting not_needed',
  ],
] as const)('the legs of a transfer %s', (_, changes, legs) => {
  expect(Object.values(legsOf(facts(changes))).join(' ')).toBe(legs);
});
