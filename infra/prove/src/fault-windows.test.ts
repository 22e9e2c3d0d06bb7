import { expect, test } from 'vitest';
import { separatesPrices, separatesServices } from './fault-windows.ts';
import { faultsFor } from './faults.ts';
import { EVERY_FAULT } from './testing/every-fault.ts';
import { UPGRADES } from './upgrade.ts';

const kinds = [...faultsFor(EVERY_FAULT, []).flatMap((group) => group.kinds), ...Object.keys(UPGRADES)];

test('only faults of the provider, of what leads to it, of the log of calls and of messages leave our services together', () => {
  const together = kinds.filter((kind) => !separatesServices(kind) && !/^(provider: |network (to|of) )/.test(kind));
  expect(together.toSorted()).toEqual([
    'clock of integration-log ahead',
    'clock of integration-log back',
    'kill integration-log',
    'kill payout-simulator',
    'kill postgres of the provider',
    'messages again, out of order',
    'outage of the provider for 1 min',
    'outage of the provider for 15 min',
    'outage of the provider for 3 min',
    'pause payout-simulator',
    'replace integration-log',
    'step back integration-log',
    'upgrade integration-log',
  ]);
});

test.each([
  'network of one service to postgres: cut',
  'network between services: slow',
  'kill transfers-worker in the middle of payouts',
  'kill postgres',
  'clocks back by 20 minutes',
  'replace every process',
])('"%s" may keep services apart', (kind) => {
  expect(kinds).toContain(kind);
  expect(separatesServices(kind)).toBe(true);
});

test.each(['network to the provider: slow', 'network of callbacks: slow', 'provider: rejected'])(
  '"%s" keeps no services apart',
  (kind) => {
    expect(kinds).toContain(kind);
    expect(separatesServices(kind)).toBe(false);
  },
);

test.each([
  ['kill rates', true],
  ['kill transfers', true],
  ['kill postgres', true],
  ['network between services: slow', true],
  ['clocks back by 20 minutes', true],
  ['kill gateway', false],
  ['kill broker', false],
  ['network of one service to broker: cut', false],
])('"%s" can keep transfers from reading the prices in force: %s', (kind, isSo) => {
  expect(kinds).toContain(kind);
  expect(separatesPrices(kind)).toBe(isSo);
});
