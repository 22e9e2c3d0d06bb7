import { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { expect, test } from 'vitest';
import { toSimulatorOrder } from './scenario.domain.ts';

test('the order to the simulator has the number of payouts, the currency and the phone number', () => {
  const settings = { payouts: 10, currency: 'TZS' as const, phone: '+255763456700' };
  expect(toSimulatorOrder('wrong_currency', settings)).toEqual({
    name: 'wrong_currency',
    match: { next: 10, currency: 'TZS', msisdn: '255763456700' },
    effect: 'wrong_currency',
    params: {},
    and: [],
  });
});

test.each(['timeout_lost', 'http_500_lost', 'reset_before', 'html_503', 'http_429', 'not_allowed'] as const)(
  '%s without an end also affects repeats, and with an end lets the repeat through',
  (scenario) => {
    expect(toSimulatorOrder(scenario, { payouts: null })).toMatchObject({
      match: { every: true },
      params: { always: true },
    });
    expect(toSimulatorOrder(scenario, { payouts: 1 }).params).not.toHaveProperty('always');
  },
);

test('an empty float is refilled after the given number of payouts, or stays empty until it is switched off', () => {
  expect(toSimulatorOrder('float_at_accept', { payouts: 1 }).params).toEqual({ at: 'accept', once: true });
  expect(toSimulatorOrder('float_at_accept', { payouts: null }).params).toEqual({ at: 'accept' });
});

test('no two scenarios send the simulator the same order', () => {
  const orders = FailureScenarioId.options.map((scenario) => {
    const { name: _, ...order } = toSimulatorOrder(scenario, { payouts: 1 });
    return JSON.stringify(order);
  });
  expect(new Set(orders).size).toBe(orders.length);
});
