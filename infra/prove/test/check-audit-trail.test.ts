import { createTestDatabase } from '@vuka/test-kit/postgres';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checkAuditTrail } from '../src/check-audit-trail.ts';
import type { Decision } from '../src/history.ts';

const decision = (withdrawalId: string, change: Partial<Decision> = {}): Decision => ({
  withdrawalId,
  kind: 'approve',
  by: 'admin',
  fromMs: 0,
  status: 200,
  ...change,
});

test('a decision that is missing in the audit trail, or in it twice, is found', async () => {
  const server = await createTestDatabase('audit_check');
  const database = new pg.Client({ connectionString: server.url });
  await database.connect();
  onTestFinished(async () => {
    await database.end();
    await server.drop();
  });
  await database.query('create table audit_trail (subject_id text, action text)');
  const check = (...decisions: Decision[]) => checkAuditTrail(server.url, decisions, 100);
  expect(await check()).toEqual([]);
  expect(await check(decision('a'))).toEqual(['the audit trail has no decision, or could not be read']);
  await database.query("insert into audit_trail values ('a', 'withdrawal.approved'), ('b', 'withdrawal.taken')");
  expect(await check(decision('a'), decision('a'), decision('b', { status: undefined }))).toEqual([]);
  expect(await check(decision('a'), decision('b', { kind: 'complete' }))).toEqual([
    '1 decisions are not in the audit trail: b withdrawal.paid',
  ]);
  await database.query("insert into audit_trail values ('a', 'withdrawal.approved')");
  expect(await check(decision('a'))).toEqual(['a withdrawal.approved: 2 times in the audit trail']);
});
