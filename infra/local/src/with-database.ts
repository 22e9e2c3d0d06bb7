import pg from 'pg';

/** Runs `use` with a connection to one database of a server, and closes it. */
export async function withDatabase<T>(
  server: string,
  database: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(server);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.toString(), application_name: 'vuka restore' });
  client.on('error', () => undefined); // the current statement reports it
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
