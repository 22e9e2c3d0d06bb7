import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** A place, such as a line of a log or a row of a table, and its text. */
export interface Written {
  place: string;
  text: string;
}

/** Values that only their owner may hold, with their kinds. */
export type Secrets = ReadonlyMap<string, string>;

/** Patterns of secrets, whoever owns them. */
const SHAPES: readonly [string, RegExp][] = [
  ['a PIN', /\\?"\w*pin\\?"\s*:\s*\\?"\d{4}\b/i],
  ['a PIN', /\bpin(?:\W+(?:is|was))?\W{1,3}\d{4}\b(?!-)/i],
  ['a session cookie', /vuka_session=[\w-]{20,}/],
  ['a device cookie', /vuka_device=[\w-]{20,}/],
  ['a bearer token', /\bbearer\s+(?!\*)[\w.~+/-]{16,}/i],
  ['an API key', /\bvuka_[\w-]{43}(?![\w-])/],
  ['a token of a service', /\b(?:caller|service)\.eyJ[\w-]+\.[\w-]{20,}/],
  ['a database password', /postgres(?:ql)?:\/\/[^\s:/@"]+:(?!\*)[^\s@"]+@/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
];

/** The kinds of secrets that a text contains. */
export function secretsIn({ text }: Written, secrets: Secrets): string[] {
  const known = [...secrets].filter(([, value]) => text.includes(value)).map(([what]) => what);
  const shaped = SHAPES.filter(([, shape]) => shape.test(text)).map(([what]) => what);
  return [...new Set([...known, ...shaped])];
}

/** Where secrets were written, as violations: the place and the kind of secret, never the secret. */
export async function findSecrets(places: AsyncIterable<Written>, secrets: Secrets): Promise<string[]> {
  const found = new Map<string, number>();
  for await (const written of places) {
    for (const what of secretsIn(written, secrets)) {
      const finding = `${written.place}: ${what}`;
      found.set(finding, (found.get(finding) ?? 0) + 1);
    }
  }
  return [...found].map(([finding, times]) => `${finding}, ${times} times`);
}

/** The secrets that the services of a data directory were given. */
export async function readSecrets(dataDir: string): Promise<Map<string, string>> {
  const { passwords, ...rest } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  > & { passwords: Record<string, string> };
  const named = [
    ...Object.entries(rest),
    ...Object.entries(passwords).map(([role, text]) => [`password of ${role}`, text]),
  ];
  return new Map(named as [string, string][]);
}

/** Every line of every log of a data directory. */
export async function* readLogs(dataDir: string): AsyncIterable<Written> {
  const dir = join(dataDir, 'logs');
  for (const name of await readdir(dir)) {
    const text = await readFile(join(dir, name), 'utf8');
    for (const line of text.split('\n')) yield { place: `log ${name}`, text: line };
  }
}

/** The simulated provider stores its signing key, as a real one does; none of our services can read it. */
const KEPT_BY_ITS_OWNER = ['payout_simulator.signing_keys'];

/** Every row of every table of the databases with this prefix: outboxes, logs of calls, trails, all of it. */
export async function* readTables(serverUrl: string, databasePrefix: string): AsyncIterable<Written> {
  for (const { name } of await query<{ name: string }>(
    serverUrl,
    'select datname as name from pg_database where starts_with(datname, $1)',
    [`${databasePrefix}_`],
  )) {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const service = name.slice(databasePrefix.length + 1);
    const tables = await query<{ oid: string }>(
      url.toString(),
      `select c.oid::regclass::text as oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
    );
    for (const { oid } of tables) {
      if (KEPT_BY_ITS_OWNER.includes(`${service}.${oid}`)) continue;
      const rows = await query<{ text: string }>(url.toString(), `select row_to_json(t)::text as text from ${oid} t`);
      for (const { text } of rows) yield { place: `table ${service}.${oid}`, text };
    }
  }
}

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
