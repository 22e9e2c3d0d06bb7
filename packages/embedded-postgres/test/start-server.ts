import { startEmbeddedPostgres } from '../src/embedded-postgres.ts';

// A separate process, which the tests run as another user, or kill.
const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' });
process.stdout.write(`${url}\n`);
setInterval(() => undefined, 60_000);
process.on('SIGTERM', () => process.exit(0));
