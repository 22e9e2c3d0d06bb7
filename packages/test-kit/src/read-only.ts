import type pg from 'pg';

/**
 * Makes the pool's database read-only, or writable again, as for the clients of a primary that was demoted. Ends every
 * connection to it, so that each connects again.
 */
export async function setReadOnly(pool: pg.Pool, isReadOnly: boolean): Promise<void> {
  const client = await pool.connect();
  await client.query('set default_transaction_read_only = off');
  const { rows } = await client.query('select current_database() as name');
  await client.query(`alter database ${rows[0].name} set default_transaction_read_only = ${isReadOnly}`);
  // Excludes this connection, whose end would stop the statement before it reaches the others.
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  client.release(true);
}
