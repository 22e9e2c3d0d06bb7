import type { Metrics } from '@vuka/service-kit/metrics';

const DOORS = ['session', 'known', 'stranger'] as const;

/** Counts wrong PINs and locks by door, each from 0: Prometheus sees no increase in a series that has just appeared. */
export function createPinCount(metrics: Metrics): (wrong: { door: (typeof DOORS)[number]; locks: boolean }) => void {
  const wrongPins = metrics.counter(
    'vuka_identity_wrong_pins_total',
    'Wrong PINs: in sessions, and in sign-ins from devices that the account has used (known) or not (stranger)',
    ['door'],
  );
  const locked = metrics.counter('vuka_identity_pin_locks_total', 'Locks after too many wrong PINs', ['door']);
  for (const door of DOORS) for (const count of [wrongPins, locked]) count.inc({ door }, 0);
  return ({ door, locks }) => {
    wrongPins.inc({ door });
    if (locks) locked.inc({ door });
  };
}
