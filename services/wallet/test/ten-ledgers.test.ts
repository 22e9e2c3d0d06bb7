import { randomUUID } from 'node:crypto';
import type { WalletResult } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Operation } from '#ledger/ledger.domain.ts';
import type { LedgerWriter } from '#ledger/ledger-writer.ts';
import { toOperation } from '#ledger/operation.ts';
import { createCommitAnswerProxy } from './commit-answer-proxy.ts';
import { createLedgerHarness, depositFor, holdFor, submit } from './harness.ts';

// The design of docs/scaling.md, "Beyond one ledger": merchants are divided among ledgers with a database each. A payment
// between two of them is a capture into the clearing account of one and a deposit from that of the other.
const LEDGERS = 10;
const MERCHANTS = 60;
const TRANSFERS = 1_500;
const AT_ONCE = 100;
const FEE_MINOR = 150n;
const CLEARING = 'ledger-clearing:KES';
/** So few that some are refused. */
const FUNDS_MINOR = 200_000n;
const SEED = 20_261_125;

interface Merchant {
  id: string;
  ledger: number;
}

interface Transfer {
  id: string;
  from: Merchant;
  to: Merchant;
  amountMinor: bigint;
  /** After how many journals its process ends the first time. */
  endsAfter: number;
}

type Ledger = Awaited<ReturnType<typeof startLedger>>;

async function startLedger(index: number) {
  const books = await createLedgerHarness(`ten_${index}`);
  const proxy = await createCommitAnswerProxy(books.url);
  const writer = books.writer({ url: proxy.url });
  const sum = async (account: string) => {
    const { rows } = await books.pool.query<{ posted_minor: bigint }>(
      'select posted_minor from accounts where code = $1',
      [account],
    );
    return rows[0]?.posted_minor ?? 0n;
  };
  const transfersOf = async (kind: 'capture' | 'deposit') => {
    const { rows } = await books.pool.query<{ id: string }>(
      'select transfer_id as id from journals where kind = $1 and rejection is null order by 1',
      [kind],
    );
    return rows.map(({ id }) => id);
  };
  onTestFinished(async () => {
    await books.stop();
    proxy.close();
  }, 60_000);
  return { ...books, proxy, writer, sum, transfersOf };
}

function drawTransfers(merchants: readonly Merchant[]): Transfer[] {
  const merchant = fc.constantFrom(...merchants);
  const drawn = fc
    .record({ from: merchant, to: merchant, amountMinor: fc.bigInt(100n, 30_000n), endsAfter: fc.nat(3) })
    .filter(({ from, to }) => from !== to);
  return fc.sample(drawn, { seed: SEED, numRuns: TRANSFERS }).map((each) => ({ ...each, id: randomUUID() }));
}

/** The journals of a transfer, in order, each with the ledger that books it. */
function journalsOf({ id, from, to, amountMinor }: Transfer): { ledger: number; operation: Operation }[] {
  const total = formatMoney(amountMinor + FEE_MINOR);
  const amount = formatMoney(amountMinor);
  const hold = holdFor(from.id, total, id);
  const capture = toOperation({
    kind: 'capture',
    key: `${id}:capture`,
    holdKey: hold.key,
    transferId: id,
    userId: from.id,
    currency: 'KES',
    amount: total,
    fee: formatMoney(FEE_MINOR),
    target: { currency: 'KES', amount, midAmount: amount },
    destination: { kind: 'wallet', userId: to.id },
  });
  const held = { ledger: from.ledger, operation: toOperation(hold) };
  if (from.ledger === to.ledger) return [held, { ledger: from.ledger, operation: capture }];
  const deposit = toOperation({ ...depositFor(to.id, amount), transferId: id, key: `${id}:deposit` });
  return [
    held,
    { ledger: from.ledger, operation: { ...capture, destination: CLEARING } as Operation },
    { ledger: to.ledger, operation: { ...deposit, funding: CLEARING } as Operation },
  ];
}

/** Repeats an operation whose outcome is unknown, under its key. */
async function atLast(writer: LedgerWriter, operation: Operation): Promise<WalletResult> {
  for (;;) {
    const result = await writer.submit(operation).catch(() => undefined);
    if (result && result.outcome !== 'failed') return result;
  }
}

/** Books the first journals of a transfer; true unless its hold was refused. */
async function carryOut(ledgers: readonly Ledger[], transfer: Transfer, journals: number): Promise<boolean> {
  for (const { ledger, operation } of journalsOf(transfer).slice(0, journals)) {
    const { writer } = ledgers[ledger] as Ledger;
    const { outcome } = await atLast(writer, operation);
    if (outcome === 'rejected') return false;
  }
  return true;
}

test('the books of ten ledgers balance across them while connections break and processes end between two journals', {
  timeout: 180_000,
}, async () => {
  const ledgers = await Promise.all(Array.from({ length: LEDGERS }, (_, index) => startLedger(index)));
  const merchants = Array.from({ length: MERCHANTS }, (_, index) => ({ id: randomUUID(), ledger: index % LEDGERS }));
  const sumOf = async (account: string) =>
    (await Promise.all(ledgers.map(({ sum }) => sum(account)))).reduce((sum, each) => sum + each, 0n);
  await Promise.all(
    merchants.map(({ id, ledger }) =>
      submit((ledgers[ledger] as Ledger).writer, depositFor(id, formatMoney(FUNDS_MINOR))),
    ),
  );
  const transfers = drawTransfers(merchants);
  const moments = fc.sample(fc.constantFrom('before', 'during', 'after'), { seed: SEED, numRuns: TRANSFERS });
  /** In waves. In each, the connection of every ledger breaks around its next commit. */
  const carryOutAll = async (journals: (transfer: Transfer) => number) => {
    const results: boolean[] = [];
    for (let first = 0; first < TRANSFERS; first += AT_ONCE) {
      for (const [index, { proxy }] of ledgers.entries()) proxy.arm(moments[first + index]);
      const wave = transfers.slice(first, first + AT_ONCE);
      results.push(...(await Promise.all(wave.map((each) => carryOut(ledgers, each, journals(each))))));
    }
    return results;
  };

  const accepted = await carryOutAll(({ endsAfter }) => endsAfter);
  const isBetween = ({ from, to }: Transfer) => from.ledger !== to.ledger;
  const underWay = transfers.filter((each, index) => accepted[index] && isBetween(each) && each.endsAfter === 2);
  expect(underWay.length).toBeGreaterThan(100);
  expect(await sumOf(CLEARING)).toBe(underWay.reduce((sum, { amountMinor }) => sum + amountMinor, 0n));

  // Two processes carry out each of them again, from the beginning.
  const [settled] = await Promise.all([carryOutAll(() => 3), carryOutAll(() => 3)]);
  const paid = transfers.filter((_, index) => settled[index]);
  expect(paid.length).toBeGreaterThan(1_000);
  expect(paid.length).toBeLessThan(TRANSFERS);
  expect(ledgers.reduce((sum, { proxy }) => sum + proxy.dropped(), 0)).toBeGreaterThan(200);

  expect(await sumOf(CLEARING)).toBe(0n);
  expect(await sumOf('fees:KES')).toBe(BigInt(paid.length) * FEE_MINOR);
  for (const [index, ledger] of ledgers.entries()) {
    const idsOf = (mine: Transfer[]) => mine.map(({ id }) => id).sort();
    expect(await ledger.transfersOf('capture')).toEqual(idsOf(paid.filter(({ from }) => from.ledger === index)));
    const arrived = paid.filter((each) => each.to.ledger === index && isBetween(each));
    const deposits = await ledger.transfersOf('deposit');
    expect(deposits).toEqual(expect.arrayContaining(idsOf(arrived)));
    expect(deposits).toHaveLength(arrived.length + MERCHANTS / LEDGERS);
    expect(await ledger.brokenInvariants()).toEqual([]);
  }
  for (const { id, ledger } of merchants) {
    const sent = paid.filter(({ from }) => from.id === id).map(({ amountMinor }) => -(amountMinor + FEE_MINOR));
    const received = paid.filter(({ to }) => to.id === id).map(({ amountMinor }) => amountMinor);
    const expected = [...sent, ...received].reduce((sum, each) => sum + each, FUNDS_MINOR);
    expect(await ledgers[ledger]?.wallet(id)).toEqual({ posted_minor: expected, held_minor: 0n });
  }
});
