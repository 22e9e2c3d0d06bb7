import { expect, test } from 'vitest';
import { runProof } from '#run-proof.ts';

/** Longer than the proof's own limits, whose errors name what was too slow. */
const timeout = 900_000;

test('under kills, pauses, losses and repeats every acknowledged transfer ends once, and the books agree', {
  timeout,
}, async () => {
  const { lost, doubled, violations, settledAfterMs, acknowledged, faults } = await runProof({
    seed: 20_251_121,
    lengthMs: 20_000,
    merchants: 8,
    pauseMs: 250,
    say: () => undefined,
  });
  expect({ lost, doubled, violations }).toEqual({ lost: [], doubled: [], violations: [] });
  expect(settledAfterMs).not.toBeNull();
  expect(acknowledged).toBeGreaterThan(50);
  expect(Object.keys(faults).length).toBeGreaterThan(15);
});

test('on the embedded bus, where a kill of Postgres stops the messages too, nothing is lost or paid twice either', {
  timeout,
}, async () => {
  const { lost, doubled, violations, settledAfterMs, acknowledged, faults } = await runProof({
    // Kills the wallet and Postgres, and then cuts the power.
    seed: 43,
    lengthMs: 14_000,
    merchants: 8,
    pauseMs: 250,
    isEmbedded: true,
    only: ['kill', 'postgres', 'provider'],
    say: () => undefined,
  });
  expect({ lost, doubled, violations }).toEqual({ lost: [], doubled: [], violations: [] });
  expect(settledAfterMs).not.toBeNull();
  expect(acknowledged).toBeGreaterThan(20);
  expect(Object.keys(faults)).toContain('kill postgres');
  expect(Object.keys(faults).filter((kind) => kind.includes('broker'))).toEqual([]);
});
