import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toLines, upToSecond } from './pawapay-statement.ts';

const HEADER = 'Creation Date,MSISDN,Transaction ID,Amount,Currency,Country,MNO,Type';
const ROW = '2026-01-05 12:00:00,255763456700,8917c345-4791-4285-a416-62f24b6982db,23030,TZS,TZA,VODACOM_TZA,Payout';

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
