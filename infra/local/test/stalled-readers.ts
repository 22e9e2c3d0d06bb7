import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';

/** A reader that has received the head of its answer, and reads no more until the test says so. */
export interface StalledReader {
  /** Resets the connection, like a machine after a power cut. */
  reset(): void;
  /** Ends its sending half, and keeps its receiving half open. */
  halfClose(): void;
  /** Reads to the end of the connection, and returns everything. */
  readOn(): Promise<string>;
}

/** Requests a path over a separate connection. */
export async function openStalled(
  address: string,
  path: string,
  headers: Record<string, string>,
): Promise<StalledReader> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  const lines = Object.entries({ host: `${hostname}:${port}`, connection: 'close', ...headers }).map(
    ([name, text]) => `${name}: ${text}`,
  );
  socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  chunks.push(head);
  if (!head.toString().startsWith('HTTP/1.1 200')) throw new Error(head.toString());
  return {
    reset: () => socket.resetAndDestroy(),
    halfClose: () => socket.end(),
    async readOn() {
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.once('end', () => socket.destroy());
      socket.resume();
      await closed;
      return Buffer.concat(chunks).toString();
    },
  };
}

/** One of the product's databases, as its superuser. */
export async function openDatabase(serverUrl: string, name: string): Promise<pg.Client> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  return client;
}

const FILLER = 'x'.repeat(32 * 1_024);

const TELL = `select pg_notify('vuka_live', 'kept ' || min(id) || ' ' || max(id)) from kept`;

/** Announces a live event to the gateway, which sends it after earlier ones. */
export async function sendLiveEvent(gateway: pg.Client, userId: string, name: string, text = ''): Promise<void> {
  await gateway.query(
    `with kept as (
      insert into live_events (user_id, name, data) values ($1, $2, jsonb_build_object('text', $3::text)) returning id
    ) ${TELL}`,
    [userId, name, text],
  );
}

export const sendFiller = (gateway: pg.Client, userId: string) => sendLiveEvent(gateway, userId, 'filler', FILLER);

/** Transfer events as transfers writes them for the feed, each of 32 KB except the last, which is short. */
export async function writeFeedEvents(transfers: pg.Client, count: number): Promise<string> {
  const lastId = randomUUID();
  for (let index = 0; index <= count; index += 1) {
    const isLast = index === count;
    const envelope = {
      specversion: '1.0',
      id: isLast ? lastId : randomUUID(),
      source: '/vuka/transfers',
      type: 'transfer.created.v1',
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      data: { text: isLast ? '' : FILLER },
    };
    await transfers.query('insert into outbox (pack_id, messages, published_at) values ($1, $2, now())', [
      randomUUID(),
      JSON.stringify({ exchange: 'vuka.events', routingKey: envelope.type, envelope }),
    ]);
  }
  return lastId;
}

/** Entries of one shilling on a wallet, some 100 bytes each in a statement. */
export async function bookEntries(wallet: pg.Client, userId: string, count: number): Promise<void> {
  await wallet.query('begin');
  // Numbers them like the ledger's writer: a batch's journal ids start at its number times 512.
  const { rows } = await wallet.query<{ id: string; seq: string; posted: string; base: string }>(
    `with batch as materialized (select nextval('ledger_batches') as first),
      taken as materialized (select setval('ledger_batches', first + $2::int / 512 + 1), first from batch)
    update accounts set seq = seq + $2::int from taken where user_id = $1 and currency = 'KES'
      returning id, seq - $2::int as seq, posted_minor as posted, first * 512 as base`,
    [userId, count],
  );
  const [account] = rows;
  if (!account) throw new Error('the user has no wallet');
  await wallet.query(
    `insert into journals (id, key, request_hash, kind, transfer_id)
      select $1::bigint + n, 'filler-' || $2::text || '-' || n, '', 'deposit', gen_random_uuid()
      from generate_series(1, $3::int) as n`,
    [account.base, userId, count],
  );
  await wallet.query(
    `insert into ledger_entries (account_id, account_seq, journal_id, currency, amount_minor, balance_after_minor)
      select $1, $2::bigint + n, $3::bigint + n, 'KES', 100, $4::bigint + 100 * n from generate_series(1, $5::int) as n`,
    [account.id, account.seq, account.base, account.posted, count],
  );
  await wallet.query('commit');
}
