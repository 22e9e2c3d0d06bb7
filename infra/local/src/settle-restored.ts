import { readArguments } from '@vuka/service-kit/command-line';
import { askProvider } from './backup/ask-provider.ts';
import { auditBooks } from './backup/audit-books.ts';
import { summarise } from './backup/later-facts.ts';
import { readMoment } from './backup/moment.ts';
import { bankStatementStep, settleRestoredBooks } from './backup/settle-restored-books.ts';
import { planDatabases } from './databases.ts';
import { readSettings, StartError } from './start-settings.ts';
import { withDatabase } from './with-database.ts';

// `npm run settle-restored -- --at 2026-11-21T10:00:00Z`, while Vuka is stopped: after the operator has restored the
// Postgres of DATABASE_URL to that moment, or promoted a standby that may lack the commits since.
const USAGE = 'Usage: npm run settle-restored -- --at 2026-11-21T10:00:00Z';
const say = (line: string) => console.log(line);

async function main(): Promise<boolean> {
  const { values } = readArguments(USAGE, { options: { at: { type: 'string' } } });
  if (!values.at) throw new StartError('Name the moment: npm run settle-restored -- --at 2026-11-21T10:00:00Z');
  const since = readMoment(values.at);
  const settings = readSettings({ ...process.env, NODE_ENV: 'development' });
  const { databaseUrl: serverUrl, databasePrefix, amqpUrl } = settings;
  if (!serverUrl) {
    throw new StartError('Set DATABASE_URL. The embedded Postgres is restored and settled by npm run restore.');
  }
  await refuseWhileInUse(serverUrl, databasePrefix);
  const holds = await auditBooks(serverUrl, databasePrefix, say);
  await settleRestoredBooks(serverUrl, { databasePrefix, hasBroker: amqpUrl !== undefined, at: since, say });
  say('');
  const paid = await askProvider(
    { serverUrl, databasePrefix, since },
    { settings, requestedBy: 'npm run settle-restored' },
    say,
  );
  for (const line of summarise(paid)) say(line);
  say(bankStatementStep(since));
  say('Every user has to sign in again.');
  say(
    holds
      ? '\nThe books hold. Next: npm start'
      : '\nTHE AUDIT FOUND VIOLATIONS. Do not start before the cause is known.',
  );
  return holds;
}

/** Running services would keep working with data that settling changes. */
async function refuseWhileInUse(serverUrl: string, databasePrefix: string): Promise<void> {
  const names = planDatabases(databasePrefix).map(({ name }) => name);
  const users = await withDatabase(serverUrl, new URL(serverUrl).pathname.slice(1) || 'postgres', async (client) => {
    const { rows } = await client.query<{ name: string }>(
      // A process of the server, such as an autovacuum worker, has no user.
      'select distinct application_name as name from pg_stat_activity where datname = any($1) and usesysid is not null',
      [names],
    );
    return rows.map(({ name }) => name);
  });
  if (users.length > 0) throw new StartError(`Stop Vuka first: ${users.join(', ')} is connected. Nothing was changed.`);
}

main().then(
  (holds) => process.exit(holds ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof StartError ? `\n${error.message}` : error);
    process.exit(1);
  },
);
