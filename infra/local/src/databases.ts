import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from './start-settings.ts';

/** A database, the role that owns it, and other roles that may connect. */
export interface DatabasePlan {
  name: string;
  owner: string;
  guests: string[];
}

/** Every database of a run: one per service, and one for messages if there is no broker. */
export function planDatabases(prefix: string): DatabasePlan[] {
  const named = (name: string) => `${prefix}_${name}`;
  const own = ['gateway', 'identity', 'transfers', 'rates', 'admin', 'integration_log', 'payout_simulator', 'bus'];
  return [
    ...own.map((name) => ({ name: named(name), owner: named(name), guests: [] })),
    // History in the ledger can be appended to, never changed, so the service does not own its tables.
    { name: named('wallet'), owner: named('wallet_owner'), guests: [named('wallet')] },
  ];
}

export function rolesOf(plans: readonly DatabasePlan[]): string[] {
  return plans.flatMap(({ owner, guests }) => [owner, ...guests]);
}

/** The address of a database for a role. */
export function urlOf(server: string, database: string, role: string, passwords: Record<string, string>): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  url.username = role;
  url.password = passwords[role] ?? '';
  return url.toString();
}

export interface Claim {
  release(): Promise<void>;
}

/**
 * Creates missing databases and roles, each role with rights on its own database only, and locks the prefix on this
 * server until `release`, so that two runs do not share it by accident. Throws a StartError if the server does not
 * answer, the role lacks rights, or another run has the prefix.
 */
export async function prepareDatabases(
  server: string,
  plans: readonly DatabasePlan[],
  passwords: Record<string, string>,
  prefix: string,
): Promise<Claim> {
  const client = await connect(server);
  try {
    await claimPrefix(client, prefix);
    await createRoles(client, rolesOf(plans), passwords);
    await createMissing(client, plans);
  } catch (error) {
    await client.end();
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new StartError('The role of DATABASE_URL must be allowed to create databases and roles.', { cause: error });
  }
  return { release: () => client.end().catch(() => undefined) };
}

async function connect(server: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: server,
    application_name: 'vuka supervisor',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => undefined); // the services notice it on their own
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { host, searchParams } = new URL(server);
    const hint = searchParams.has('sslmode') ? ' See docs/runbooks/tls.md.' : '';
    throw new StartError(`Postgres at ${host} does not answer: ${(error as Error).message}.${hint}`, { cause: error });
  }
}

const CLAIM_ATTEMPTS = 20;

async function claimPrefix(client: pg.Client, prefix: string): Promise<void> {
  for (let attempt = 1; attempt <= CLAIM_ATTEMPTS; attempt++) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as mine', [
      `vuka run ${prefix}`,
    ]);
    if (rows[0]?.mine) return;
    await delay(100); // the connection of a run that was just killed
  }
  throw new StartError(
    `Another run uses the databases ${prefix}_* on this server. Stop it, or set VUKA_DATABASE_PREFIX to another name.`,
  );
}

async function createRoles(client: pg.Client, roles: readonly string[], passwords: Record<string, string>) {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    roles,
  ]);
  const existing = new Set(rows.map(({ rolname }) => rolname));
  const statements = roles.map((role) => {
    const verb = existing.has(role) ? 'alter' : 'create';
    return `${verb} role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(passwords[role] ?? '')}`;
  });
  await client.query(statements.join(';'));
  // An administrator without superuser rights must be a member of a role to make it an owner.
  const isSuperuser = await client.query(`select rolsuper from pg_roles where rolname = current_user`);
  if (isSuperuser.rows[0]?.rolsuper) return;
  for (const role of roles) await client.query(`grant ${pg.escapeIdentifier(role)} to current_user`);
}

async function createMissing(client: pg.Client, plans: readonly DatabasePlan[]): Promise<void> {
  const names = plans.map(({ name }) => name);
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname = any($1)', [
    names,
  ]);
  const existing = new Set(rows.map(({ datname }) => datname));
  for (const { name, owner } of plans.filter((plan) => !existing.has(plan.name))) {
    await client.query(
      `create database ${pg.escapeIdentifier(name)} owner ${pg.escapeIdentifier(owner)} template template0`,
    );
  }
  // On every start, since a run may have ended between the two statements.
  const rights = plans.flatMap(({ name, guests }) => {
    const database = pg.escapeIdentifier(name);
    const grants = guests.map((guest) => `grant connect on database ${database} to ${pg.escapeIdentifier(guest)}`);
    return [`revoke all on database ${database} from public`, ...grants];
  });
  await client.query(rights.join(';'));
}
