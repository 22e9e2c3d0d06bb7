import { type DeviceCheck, DeviceCheckResults } from '@vuka/contracts/internal/identity';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { inTime } from './in-time.ts';

/** A sign-in does not wait for longer to be counted. */
const DEADLINE_MS = 500;

/** Any number of sign-ins can ask at once, and one call at a time checks several hundred. */
const MAX_WAITING = 1_000;

/**
 * Whether the account of an email has been signed in to on a device. Only for counting: identity judges the sign-in. Without
 * an answer in time, such as from an identity of the previous release, the device counts as unknown.
 */
export function createDeviceChecks(identity: ServiceClient): (check: DeviceCheck) => Promise<boolean> {
  const checks = createBatcher<DeviceCheck, boolean>({
    concurrency: 1,
    maxQueue: MAX_WAITING,
    async run(items) {
      const path = '/internal/devices/check-batch';
      return (await identity.post(path, { items }, DeviceCheckResults, { idempotent: true })).results;
    },
  });
  return async (check) => (await inTime(checks.submit(check), DEADLINE_MS)) ?? false;
}
