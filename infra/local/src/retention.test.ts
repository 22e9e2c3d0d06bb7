import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#settings.ts';

/** Described once for all services. */
const SHARED = ['inbox', 'outbox', 'proposals'];
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
