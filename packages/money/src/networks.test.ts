import { expect, test } from 'vitest';
import { carriersOf, networkOf } from './networks.ts';

test.each([
  ['+254712345678', 'M-Pesa (Safaricom)'],
  ['254110345678', 'M-Pesa (Safaricom)'],
  ['+254733345678', 'Airtel Money'],
  ['+254100345678', 'Airtel Money'],
  ['+254772345678', 'T-Kash (Telkom)'],
  ['+254200345678', undefined],
  ['+255754345678', 'M-Pesa (Vodacom)'],
  ['255712345678', 'Mixx by Yas'],
  ['+255784345678', 'Airtel Money'],
  ['+255622345678', 'HaloPesa'],
  ['+255222345678', undefined],
  ['+256772345678', undefined],
])('%s was first assigned by %s', (phone, network) => {
  expect(networkOf(phone)?.name).toBe(network);
});

test('accounts can be linked at the networks that have a carrier name', () => {
  expect(carriersOf('KE')).toEqual(['M-PESA', 'Airtel Money']);
  expect(carriersOf('TZ')).toEqual(['M-Pesa', 'Mixx by Yas', 'Airtel Money', 'HaloPesa']);
});
