import { expect, test } from 'vitest';
import { type Healed, recoveriesOf } from './recoveries.ts';

const at = (second: number) => new Date(1_800_000_000_000 + second * 1_000).toISOString();
const healed = (kind: string, from: number, to: number, recoveredMs: number | null = 1_000): Healed => ({
  kind,
  from: at(from),
  to: at(to),
  recoveredMs,
});

test('a recovery measures its own fault only if no fault of a server overlapped it', () => {
  const recoveries = recoveriesOf([
    healed('kill wallet', 0, 2, 2_000.4),
    healed('provider: timeout, paid', 0, 9, null),
    healed('kill postgres', 2, 5, 3_000),
    healed('kill rates', 4, 6, 1_500),
  ]);
  expect(recoveries).toEqual([
    { kind: 'kill rates', ms: 1_500, isAlone: false },
    { kind: 'kill wallet', ms: 2_000, isAlone: true },
    { kind: 'kill postgres', ms: 3_000, isAlone: true },
  ]);
});
