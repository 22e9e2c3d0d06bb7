import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLedgerAuditor, violationsOfMoney } from '#audit/audit-ledger.ts';
import { captureOf, createLedgerHarness, depositFor, holdFor, type LedgerHarness, logger, submit } from './harness.ts';

let ledger: LedgerHarness;
let userId: string;
beforeEach(async () => {
  ledger = await createLedgerHarness('audit');
  userId = randomUUID();
  const writer = ledger.writer();
  const hold = holdFor(userId, '10.00');
  const refused = holdFor(userId, '1000.00');
  for (const command of [depositFor(userId, '100.00'), hold, captureOf(hold), holdFor(userId, '5.00'), refused]) {
    await submit(writer, command);
  }
});
afterEach(() => ledger.stop());

/** Changes rows as only the owner of the tables can, with the triggers off. */
async function tamper(statement: string) {
  await ledger.pool.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
}

/** Ages journals so that they count as history, or messages as if the broker were unavailable. */
const age = (table: 'journals' | 'outbox') => tamper(`update ${table} set created_at = now() - interval '1 hour'`);

async function isFrozen() {
  const { rows } = await ledger.pool.query('select frozen_at is not null as frozen from accounts where code = $1', [
    `wallet:${userId}:KES`,
  ]);
  return rows[0]?.frozen;
}

const wallet = () => `(select id from accounts where code = 'wallet:${userId}:KES')`;
const planted: [string, string[], () => string][] = [
  [
    'a balance edited by hand',
    ['I2', 'I8'],
    () => `update accounts set posted_minor = posted_minor + 1 where id = ${wallet()}`,
  ],
  ['money held without a hold', ['I3'], () => `update accounts set held_minor = held_minor + 1 where id = ${wallet()}`],
  [
    'an entry with another amount',
    ['I1', 'I5'],
    () =>
      `update ledger_entries set amount_minor = amount_minor + 1 where account_id = ${wallet()} and account_seq = 1`,
  ],
  [
    'a missing last entry',
    ['I1', 'I2'],
    () => `delete from ledger_entries where account_id = ${wallet()} and account_seq = 2`,
  ],
  [
    'a missing entry in the middle',
    ['I1', 'I5'],
    () => `delete from ledger_entries where account_id = ${wallet()} and account_seq = 1`,
  ],
  [
    'a hold that is open again',
    ['I3', 'I6'],
    () => `update holds set state = 'open', resolved_by = null where account_id = ${wallet()}`,
  ],
  [
    'an entry before the first of an account',
    ['I1', 'I5', 'I6'],
    () => `insert into ledger_entries values (${wallet()}, -5, -1, 'KES', 100, 100)`,
  ],
  ['a deposit without its row', ['I6'], () => 'delete from deposits'],
];
test.each(planted)(
  'finds %s, keeps reporting it, and records when the invariant last held',
  async (_name, expected, statement) => {
    await age('journals');
    const clean = await ledger.auditor.audit();
    expect(clean).toMatchObject({ holds: true });
    expect(clean.invariants.map(({ id }) => id)).toEqual(['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I10']);
    await tamper(statement());
    for (let time = 0; time < 2; time += 1) {
      const audit = await ledger.auditor.audit();
      expect(audit.holds).toBe(false);
      const broken = audit.invariants.filter(({ violations }) => violations > 0);
      expect(broken.map(({ id }) => id)).toEqual(expected);
      for (const { lastHeldAt } of broken) expect(lastHeldAt).toBe(clean.checkedAt);
    }
  },
);

test('freezes the wallet that a violation concerns, so that its money cannot move', async () => {
  await tamper(`update accounts set posted_minor = posted_minor + 1 where id = ${wallet()}`);
  await ledger.auditor.audit();
  expect(await isFrozen()).toBe(true);
  const writer = ledger.writer();
  expect(await submit(writer, holdFor(userId, '1.00'))).toMatchObject({
    outcome: 'rejected',
    reason: 'account_frozen',
  });
  expect(await submit(writer, depositFor(userId, '1.00'))).toEqual({
    outcome: 'rejected',
    replayed: false,
    reason: 'account_frozen',
  });
  expect(await submit(writer, depositFor(randomUUID(), '1.00'))).toMatchObject({ outcome: 'applied' });
});

test('distinguishes waiting messages from violations of money', async () => {
  await age('outbox');
  const audit = await ledger.auditor.audit();
  expect(audit.invariants.find(({ id }) => id === 'I10')).toMatchObject({ checked: 4, violations: 4 });
  expect(violationsOfMoney(audit)).toBe(0);
  await tamper(`update accounts set posted_minor = posted_minor + 1 where id = ${wallet()}`);
  expect(violationsOfMoney(await ledger.auditor.audit())).toBe(2);
});

test('holds no snapshot while it reads history, and checks the balances of the moment after', async () => {
  await age('journals');
  const client = await ledger.pool.connect();
  await client.query('begin; lock table ledger_entries in access exclusive mode');
  const auditing = ledger.auditor.audit();
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        `select 1 from pg_locks where not granted and relation = 'ledger_entries'::regclass`,
      );
      return rows.length;
    })
    .toBe(1);
  await client.query("insert into accounts (code, currency) values ('fees:KES-since', 'KES'); commit");
  const { rows } = await client.query<{ count: bigint }>('select count(*) from accounts');
  client.release();
  const { invariants } = await auditing;
  expect(invariants.find(({ id }) => id === 'I2')?.checked).toBe(Number(rows[0]?.count));
});

test('checks new journals between full passes, and finds violations in them', async () => {
  const auditor = createLedgerAuditor({ db: ledger.db, logger, fullEveryMs: 3_600_000 });
  await age('journals');
  await age('outbox');
  const checked = async () => (await auditor.audit()).invariants.find(({ id }) => id === 'I6')?.checked;
  expect(await checked()).toBe(5);
  expect(await checked()).toBe(0);
  await submit(ledger.writer(), depositFor(userId, '1.00'));
  expect(await checked()).toBe(1);
  await tamper(
    `update ledger_entries set balance_after_minor = balance_after_minor + 1 where account_id = ${wallet()} and account_seq = 3`,
  );
  expect((await auditor.audit()).invariants.filter(({ violations }) => violations > 0).map(({ id }) => id)).toEqual([
    'I2',
    'I5',
    'I10',
  ]);
});

test('an audit after a restart reads only new journals; the walk finds what was changed in old ones, and each audit reports it', async () => {
  const start = () => createLedgerAuditor({ db: ledger.db, logger, fullEveryMs: 3_600_000, journalsAtOnce: 2 });
  await age('journals');
  const before = start();
  await before.audit();
  await before.walk();
  const after = start();
  const found = async () => {
    const { invariants } = await after.audit();
    return invariants.filter(({ violations }) => violations > 0).map(({ id }) => id);
  };
  expect((await after.audit()).invariants.find(({ id }) => id === 'I6')?.checked).toBe(0);

  await tamper(
    `update ledger_entries set amount_minor = amount_minor + 1 where account_id = ${wallet()} and account_seq = 1`,
  );
  await after.walk();
  expect(await found()).toEqual([]);
  // A new walk is due.
  await tamper(`update audit_progress set walk_began_at = now() - interval '2 hours'`);
  const later = start();
  await later.walk();
  const audit = async () =>
    (await later.audit()).invariants.filter(({ violations }) => violations > 0).map(({ id }) => id);
  expect(await audit()).toEqual(['I1', 'I5']);
  await later.walk();
  expect(await audit()).toEqual(['I1', 'I5']);
  expect(await isFrozen()).toBe(true);

  await tamper(
    `update ledger_entries set amount_minor = amount_minor - 1 where account_id = ${wallet()} and account_seq = 1`,
  );
  await later.walk();
  expect(await audit()).toEqual([]);
});

test('what an audit has read is not read again by the walk before the next one is due', async () => {
  const auditor = createLedgerAuditor({ db: ledger.db, logger, fullEveryMs: 3_600_000 });
  await age('journals');
  await auditor.audit();
  await auditor.walk();
  await submit(ledger.writer(), depositFor(userId, '1.00'));
  await age('journals');
  await auditor.audit();
  await tamper(
    `update ledger_entries set amount_minor = amount_minor + 1
    where account_id = ${wallet()} and account_seq = (select seq from accounts where id = ${wallet()})`,
  );
  const broken = async () =>
    (await auditor.audit()).invariants.filter(({ violations }) => violations > 0).map(({ id }) => id);
  await auditor.walk();
  expect(await broken()).toEqual([]);
});

test('an audit that a caller waits for makes no pauses, also if it joins one that does', async () => {
  const auditor = createLedgerAuditor({ db: ledger.db, logger, fullEveryMs: 0, journalsAtOnce: 1 });
  for (let i = 0; i < 30; i++) await submit(ledger.writer(), depositFor(userId, '1.00'));
  await age('journals');
  const startedMs = performance.now();
  const paced = auditor.audit({ isPaced: true });
  await Promise.all([paced, auditor.audit()]);
  // Thirty pauses take six seconds.
  expect(performance.now() - startedMs).toBeLessThan(5_500);
});

test('books of an earlier release, with much history, are read by the walk and not by the first audit', async () => {
  await age('journals');
  const auditor = createLedgerAuditor({ db: ledger.db, logger, fullEveryMs: 3_600_000, journalsAtOnce: 2 });
  await tamper(
    `update ledger_entries set amount_minor = amount_minor + 1 where account_id = ${wallet()} and account_seq = 1`,
  );
  const audit = async () => (await auditor.audit()).invariants.find(({ id }) => id === 'I1');
  expect(await audit()).toMatchObject({ checked: 0, violations: 0 });
  await auditor.walk();
  expect((await audit())?.violations).toBe(1);
});
