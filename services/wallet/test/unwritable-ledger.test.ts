import { randomUUID } from 'node:crypto';
import { setReadOnly } from '@vuka/test-kit/read-only';
import { until } from '@vuka/test-kit/until';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, logger, submit } from './harness.ts';

let ledger: LedgerHarness;
let userId: string;
let warnings: number;
beforeAll(async () => {
  ledger = await createLedgerHarness('unwritable');
});
beforeEach(async () => {
  userId = randomUUID();
  warnings = 0;
  await submit(ledger.writer(), depositFor(userId, '100.00'));
});
afterEach(async () => {
  await setReadOnly(ledger.pool, false);
  await ledger.pool.query('drop function if exists fill_disk cascade');
});
afterAll(() => ledger.stop());

async function fillDisk(table: string): Promise<void> {
  await ledger.pool.query(`
    create function fill_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = '53100'; end $$`);
  await ledger.pool.query(`create trigger full_disk before insert on ${table} execute function fill_disk()`);
}

function createWriter() {
  const counting: typeof logger = Object.create(logger, {
    warn: {
      value: () => {
        warnings += 1;
      },
    },
  });
  return ledger.writer({ limits: { maxAgeMs: 250 }, logger: counting });
}

const REFUSED = { outcome: 'failed', reason: 'overloaded' };

test('a read-only database refuses commands, is not asked all the time, and loses and doubles nothing', async () => {
  const writer = createWriter();
  const hold = holdFor(userId, '40.00');
  expect(await submit(writer, hold)).toMatchObject({ outcome: 'applied' });
  await setReadOnly(ledger.pool, true);
  await until(() => !writer.isConnected());
  for (let call = 0; call < 4; call += 1) expect(await submit(writer, captureOf(hold))).toMatchObject(REFUSED);
  expect(writer.isConnected()).toBe(false);
  expect(warnings).toBeGreaterThan(0);
  expect(warnings).toBeLessThan(15);
  await setReadOnly(ledger.pool, false);
  await until(() => writer.isConnected());
  expect(await submit(writer, captureOf(hold))).toMatchObject({ outcome: 'applied', replayed: false });
  expect(await submit(writer, captureOf(hold))).toMatchObject({ outcome: 'applied', replayed: true });
  expect(await ledger.wallet(userId)).toEqual({ posted_minor: 6_000n, held_minor: 0n });
  expect(await ledger.brokenInvariants()).toEqual([]);
});

test.each(['journals', 'ledger_entries', 'outbox'])(
  'a disk that is full when %s are written refuses commands, and loses and doubles nothing',
  async (table) => {
    const writer = createWriter();
    const hold = holdFor(userId, '40.00');
    expect(await submit(writer, hold)).toMatchObject({ outcome: 'applied' });
    await fillDisk(table);
    const commands = [captureOf(hold), depositFor(userId, '1.00'), depositFor(randomUUID(), '1.00')];
    const refused = await Promise.all(commands.map((command) => submit(writer, command)));
    expect(refused).toMatchObject([REFUSED, REFUSED, REFUSED]);
    expect(await ledger.wallet(userId)).toEqual({ posted_minor: 10_000n, held_minor: 4_000n });
    await ledger.pool.query('drop function fill_disk cascade');
    // With the usual limits: on a busy machine the short one refuses commands that only had to wait.
    const patient = ledger.writer();
    for (const command of commands) {
      expect(await submit(patient, command)).toMatchObject({ outcome: 'applied', replayed: false });
    }
    expect(await ledger.wallet(userId)).toEqual({ posted_minor: 6_100n, held_minor: 0n });
    expect(await ledger.brokenInvariants()).toEqual([]);
  },
);
