import { FailureScenarioId } from '@vuka/contracts/http/failure-scenarios';
import { expect, test } from 'vitest';
import { toSimulatorOrder } from './scenario.domain.ts';

test('so many payouts, of one currency, to one number, are what the simulator is told', () => {
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
  '%s is a network that stays broken until it is switched off, and otherwise takes the repeat',
  (scenario) => {
    expect(toSimulatorOrder(scenario, { payouts: null })).toMatchObject({
      match: { every: true },
      params: { always: true },
    });
    expect(toSimulatorOrder(scenario, { payouts: 1 }).params).not.toHaveProperty('always');
  },
);

test('an empty float is filled up again after so many payouts, and stays empty until it is switched off', () => {
  expect(toSimulatorOrder('float_at_accept', { payouts: 1 }).params).toEqual({ at: 'accept', once: true });
  expect(toSimulatorOrder('float_at_accept', { payouts: null }).params).toEqual({ at: 'accept' });
});

test('no two scenarios tell the simulator the same', () => {
  const orders = FailureScenarioId.options.map((scenario) => {
    const { name: _, ...order } = toSimulatorOrder(scenario, { payouts: 1 });
    return JSON.stringify(order);
  });
  expect(new Set(orders).size).toBe(orders.length);
});
