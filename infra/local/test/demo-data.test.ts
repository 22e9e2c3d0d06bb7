import { createTestDatabase } from '@vuka/test-kit/postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { DEMO_ADMIN, DEMO_MERCHANTS, refuseForeignBooks } from '#demo-data.ts';

test('demo accounts, whose PINs are public, are added only to databases without other accounts', async () => {
  const database = await createTestDatabase('demo');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('create table users (email text)');
    await refuseForeignBooks(client);
    // A start that was interrupted has added some.
    await client.query('insert into users values ($1), ($2)', [DEMO_ADMIN.email, DEMO_MERCHANTS[0].email]);
    await refuseForeignBooks(client);
    await client.query(`insert into users values ('owner@shop.example')`);
    await expect(refuseForeignBooks(client)).rejects.toThrow('Is NODE_ENV=production missing?');
  } finally {
    await client.end();
    await database.drop();
  }
});
