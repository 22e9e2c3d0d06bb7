import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPORTED_TABLES } from '@vuka/contracts/http/account-export';
import { expect, test } from 'vitest';
import { ROOT } from '#start-settings.ts';

/** Tables that the page describes once for all services. */
const SHARED = ['first_answers', 'inbox', 'outbox', 'proposals'];
const page = readFileSync(join(ROOT, 'docs/retention.md'), 'utf8');

/** The tables that the migrations of a service create. */
function tablesOf(service: string): string[] {
  const files = globSync(`services/${service}/src/db/migrations/*.ts`, { cwd: ROOT });
  const text = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  const names = [...text.matchAll(/create table (?:if not exists )?([a-z_]+)/g)].map(([, name]) => name ?? '');
  return [...new Set(names)].filter((name) => !SHARED.includes(name)).sort();
}

function describedOf(service: string): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith(`| ${service} |`));
  return rows
    .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? ''))
    .sort();
}

const services = globSync('services/*/src/db', { cwd: ROOT }).map((path) => path.split('/')[1] ?? '');

test.each(services)('the page on retention names every table of %s, and no other', (service) => {
  expect(tablesOf(service)).not.toEqual([]);
  expect(describedOf(service)).toEqual(tablesOf(service));
});

test('every table has one level of protection', () => {
  const rows = page.split('\n').filter((line) => /^\| \d, /.test(line));
  expect(rows).toHaveLength(3);
  const levelled = rows.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
  );
  const tables = [...new Set([...services.flatMap(tablesOf), ...SHARED])];
  expect(levelled.sort()).toEqual(tables.sort());
});

/** Tables with data about people that a merchant's copy of their data leaves out, and why. */
const NOT_EXPORTED: Record<string, string> = {
  live_events: 'their own transfers, for an hour',
  admins: 'administrators',
  stranger_sign_ins: 'attempts of strangers, named by a hash of the address only',
  unknown_sign_ins: 'empty',
  second_factors: 'administrators',
  factor_attempts: 'administrators',
  unlock_requests: 'administrators',
  transaction_lifecycle: 'the states of transfers, which are exported',
  transaction_retries: 'administrators',
  payout_exceptions: 'the notes of administrators on transfers, which are exported',
  reconciliations: 'administrators',
  redrives: 'administrators',
  waiting_statement_lines: 'payouts of transfers, which are exported',
  quotes: 'prices, for an hour',
  limits: 'administrators',
  exchange_rates: 'administrators',
  rate_history: 'administrators',
  fee_config: 'administrators',
  pricing_version: 'administrators',
  adjustments: 'administrators',
  audit_heads: 'signatures over the audit trail',
  integration_logs: 'the requests of payouts, whose transfers are exported',
  closed_accounts: 'accounts that are closed',
  kept_sums: 'sums of entries, which are exported',
};

test('a merchant’s copy of their data has every table with data about them', () => {
  const rows = page.split('\n').filter((line) => services.some((service) => line.startsWith(`| ${service} |`)));
  const personal = rows.flatMap((row) => {
    const [, , tables = '', people = ''] = row.split('|');
    return /^none\b/.test(people.trim()) ? [] : [...tables.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? '');
  });
  const exported = Object.values(EXPORTED_TABLES).flat();
  expect([...new Set(personal)].filter((table) => !exported.includes(table) && !(table in NOT_EXPORTED))).toEqual([]);
  // Every listed table exists, and none is in both lists.
  const known = services.flatMap(tablesOf);
  expect([...exported, ...Object.keys(NOT_EXPORTED)].filter((table) => !known.includes(table))).toEqual([]);
  expect(exported.filter((table) => table in NOT_EXPORTED)).toEqual([]);
});
