import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { StatementLine, StatementNeeds } from '../payout-provider.ts';
import { createPawapayHttp } from './pawapay-http.ts';
import { parseStatement, readPawapayStatement, upToSecond } from './pawapay-statement.ts';

const HEADER = 'Creation Date,MSISDN,Transaction ID,Amount,Currency,Country,MNO,Type';
const ROW = '2026-01-05 12:00:00,255763456700,8917c345-4791-4285-a416-62f24b6982db,23030,TZS,TZA,VODACOM_TZA,Payout';

async function toLines(csv: Iterable<string>): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  await parseStatement(csv, (payment) => void lines.push(payment));
  return lines;
}

test('payments are read among other lines and columns', async () => {
  const quoted = ROW.replace('23030', '"-23030.0000"').replace('255763', '+255763');
  const fee = ROW.replace('Payout', 'Fee');
  for (const csv of [`${HEADER}\n${ROW}\n`, `\uFEFF${HEADER}\r\n${fee}\r\n${quoted}\r\n\r\n`]) {
    expect(await toLines([csv])).toEqual([
      {
        clientPayoutId: '8917c345-4791-4285-a416-62f24b6982db',
        amountMinor: 2_303_000n,
        currency: 'TZS',
        msisdn: '255763456700',
        recordedAt: new Date('2026-01-05T12:00:00Z'),
      },
    ]);
  }
});

test.each([
  ['2026-01-05T12:00:00.001Z', '2026-01-05T12:00:01.000Z'],
  ['2026-01-05T12:00:00.000Z', '2026-01-05T12:00:00.000Z'],
])('a period that ends at %s is asked for up to %s, so that it misses no payment of its last second', (end, asked) => {
  expect(upToSecond(new Date(end)).toISOString()).toBe(asked);
});

test('a statement without payments is empty', async () => {
  expect(await toLines([`${HEADER}\n`])).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['a page of an error', '<html>503</html>'],
  ['a column that is missing', `${HEADER.replace('Transaction ID', 'Reference')}\n${ROW}\n`],
  ['an amount that is none', `${HEADER}\n${ROW.replace('23030', '23o30')}\n`],
  ['a fraction of a cent', `${HEADER}\n${ROW.replace('23030', '23030.005')}\n`],
  ['a date that is none', `${HEADER}\n${ROW.replace('2026-01-05', 'yesterday')}\n`],
  ['an id that is none', `${HEADER}\n${ROW.replace(/[0-9a-f-]{36}/, 'F-2026-1')}\n`],
  ['a row that was cut short', `${HEADER}\n2026-01-05 12:00:00,255763456700\n`],
])('%s is refused, never read as an empty statement', async (_what, csv) => {
  await expect(toLines([csv])).rejects.toThrow();
});

/** As many chunks of 64 KiB as a statement may have, and counts how many were read. */
function chunks(text: string) {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  const read = { count: 0 };
  function* made() {
    yield `${HEADER}\n`;
    for (; read.count < 150; read.count++) yield chunk;
  }
  return { read, made };
}

test.each([
  ['a row without an end', 'x'],
  ['a quoted cell without an end', '"'.concat('x'.repeat(65_535))],
  ['a row of nothing but commas', ','],
])('%s is refused at its beginning', async (_what, text) => {
  const { made, read } = chunks(text);
  await expect(toLines(made())).rejects.toThrow();
  expect(read.count).toBeLessThan(50);
});

/** What is still referenced: garbage that waits for its collection is not kept. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('of a hundred thousand lines that are no payments none stays in memory, and others go on meanwhile', async () => {
  const { made } = chunks(`${ROW.replace('Payout', 'Deposit')}\n`);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const before = usedBytes();
  let keptBytes = Number.POSITIVE_INFINITY;
  function* watched() {
    yield* made();
    // All has been asked for, and the reader still holds what it keeps.
    keptBytes = usedBytes() - before;
  }
  expect(await toLines(watched())).toEqual([]);
  clearInterval(timer);
  expect(keptBytes).toBeLessThan(20_000_000);
  expect(turns).toBeGreaterThan(20);
}, 60_000);

/** Reads the statements of a provider that answers with this CSV for every wallet. */
async function readFrom(csv: () => Iterable<string>, needs: StatementNeeds) {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.csv')) return void Readable.from(csv()).pipe(response);
    const { port } = server.address() as AddressInfo;
    const made = { status: 'COMPLETED', downloadUrl: `http://127.0.0.1:${port}/s.csv` };
    response.end(JSON.stringify(request.method === 'POST' ? { statementId: 's', status: 'ACCEPTED' } : made));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createPawapayHttp({ baseUrl, token: 'token' });
  const period = { from: new Date('2026-01-05T00:00:00Z'), to: new Date('2026-01-06T00:00:00Z') };
  const result = await readPawapayStatement({ http, baseUrl, onExchange: () => undefined }, period, needs);
  await http.close();
  server.closeAllConnections();
  server.close();
  return result;
}

test('payments of all wallets together are as many as there is memory for, and one more is too many', async () => {
  const sixty = () => [`${HEADER}\n`, `${ROW}\n`.repeat(60)];
  const isNeeded = () => true;
  expect(await readFrom(sixty, { isNeeded, most: 119 })).toEqual({ kind: 'too_many' });
  expect(await readFrom(sixty, { isNeeded, most: 120 })).toMatchObject({ kind: 'lines', lines: { length: 120 } });
});

test('payments that are not needed do not count, and are not kept', async () => {
  const fifty = () => [`${HEADER}\n`, `${ROW}\n`.repeat(50), `${ROW.replace('23030', '1')}\n`];
  const isNeeded = ({ amountMinor }: StatementLine) => amountMinor === 100n;
  const found = await readFrom(fifty, { isNeeded, most: 2 });
  expect(found).toMatchObject({ kind: 'lines', lines: [{ amountMinor: 100n }, { amountMinor: 100n }] });
});

test('a statement with too many payments is read no further', async () => {
  const { made, read } = chunks(`${ROW}\n`);
  const full = new Error('full');
  let left = 1_000;
  const take = () => {
    if (left-- === 0) throw full;
  };
  await expect(parseStatement(made(), take)).rejects.toBe(full);
  expect(read.count).toBeLessThan(50);
});
