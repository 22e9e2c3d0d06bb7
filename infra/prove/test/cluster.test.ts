import { findInstalledBroker } from '@vuka/test-kit/rabbitmq-node';
import { expect, test } from 'vitest';
import { proveLostCommits } from '#lost-commits.ts';
import { runProof } from '#run-proof.ts';

/** A broker of three nodes needs an installed RabbitMQ. */
const isImpossible = findInstalledBroker() === undefined;
/** Longer than the proof's own limits, whose errors name what was too slow. */
const timeout = 900_000;

test.skipIf(isImpossible)(
  'the primary of Postgres and the leading node of RabbitMQ are lost under load, and nothing else is',
  {
    timeout,
  },
  async () => {
    const { lost, doubled, violations, settledAfterMs, acknowledged, faults } = await runProof({
      seed: 20_251_125,
      lengthMs: 30_000,
      merchants: 8,
      pauseMs: 250,
      isCluster: true,
      only: ['promote', 'leading node', 'rejected', 'callback lost'],
      say: () => undefined,
    });
    expect({ lost, doubled, violations }).toEqual({ lost: [], doubled: [], violations: [] });
    expect(settledAfterMs).not.toBeNull();
    expect(acknowledged).toBeGreaterThan(30);
    expect(Object.keys(faults)).toEqual(expect.arrayContaining(['kill leading node of broker']));
    expect(Object.keys(faults).some((kind) => kind.includes('promote'))).toBe(true);
  },
);

test.skipIf(isImpossible)(
  'an asynchronous standby loses only what it could not have, and no payment twice or unnamed',
  {
    timeout,
  },
  async () => {
    const { lost, doubled, violations, inWindow, repeated, named } = await proveLostCommits(() => undefined);
    expect({ lost, doubled, violations }).toEqual({ lost: [], doubled: [], violations: [] });
    expect(inWindow).toBeGreaterThan(10);
    expect(repeated).toBeGreaterThan(3);
    expect(named).toBeGreaterThan(0);
  },
);
