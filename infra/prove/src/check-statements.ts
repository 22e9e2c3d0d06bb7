import type { Holder, Moved } from './moved.ts';
import { decimalOf, minorOf } from './price.ts';

interface Line {
  kind: string;
  id: string;
  currency: string;
  moneyIn: string;
  moneyOut: string;
  fee: string;
  balance: string;
}

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * Compares the statement that each user can export for the days around this one with what happened. All users
 * registered and got their first funds during the proof. Returns a line per contradiction.
 */
export async function checkStatements(
  holders: readonly Holder[],
  moved: ReadonlyMap<string, readonly Moved[]>,
): Promise<string[]> {
  const period = { from: dayOf(Date.now() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
  const wrong: string[] = [];
  for (const { name, client, funds } of holders) {
    const { status, body } = await client.get(`/api/statement.csv?${new URLSearchParams(period)}`);
    const given = Object.entries(funds).map(([currency, moneyIn]) => ({ ...NOTHING, currency, moneyIn }));
    const found =
      status === 200 ? contradictionsOf(String(body), [...given, ...(moved.get(name) ?? [])]) : [`answers ${status}`];
    wrong.push(...found.map((what) => `the statement of ${name}: ${what}`));
  }
  return wrong;
}

const NOTHING = { id: undefined, moneyOut: 0n, fee: 0n };

export function contradictionsOf(csv: string, moved: readonly Moved[]): string[] {
  const lines = csv.trimEnd().split('\r\n').slice(1).map(toLine);
  const movements = lines.filter(({ kind }) => !kind.endsWith('balance'));
  const currencies = new Set([...lines, ...moved].map(({ currency }) => currency));
  return [
    ...[...currencies].flatMap((currency) => wrongSums(lines.filter((line) => line.currency === currency))),
    ...difference(movements.map(keyOfLine), moved.map(keyOf)),
  ];
}

function toLine(text: string): Line {
  const [, kind = '', id = '', , currency = '', moneyIn = '', moneyOut = '', fee = '', balance = ''] = text.split(',');
  return { kind, id, currency, moneyIn, moneyOut, fee, balance };
}

/** For one wallet: each balance follows from the previous one, and the closing line has the sums of the movements. */
function wrongSums(lines: readonly Line[]): string[] {
  const [opening, ...rest] = lines;
  const closing = rest.pop();
  if (!opening || !closing) return ['a wallet has no opening or no closing balance'];
  const wrong: string[] = [];
  let balance = minorOf(opening.balance);
  const sums = { moneyIn: 0n, moneyOut: 0n, fee: 0n };
  for (const line of rest) {
    const [moneyIn, moneyOut, fee] = [minorOf(line.moneyIn), minorOf(line.moneyOut), minorOf(line.fee)] as const;
    balance += moneyIn - moneyOut - fee;
    sums.moneyIn += moneyIn;
    sums.moneyOut += moneyOut;
    sums.fee += fee;
    if (minorOf(line.balance) !== balance)
      wrong.push(`${line.id}: the balance is ${line.balance}, not ${decimalOf(balance)}`);
  }
  for (const column of ['moneyIn', 'moneyOut', 'fee'] as const)
    if (minorOf(closing[column]) !== sums[column])
      wrong.push(`${column} of ${closing.currency} adds up to ${decimalOf(sums[column])}, not ${closing[column]}`);
  if (minorOf(closing.balance) !== balance) wrong.push(`it closes with ${closing.balance}, not ${decimalOf(balance)}`);
  return wrong;
}

const keyOfLine = ({ kind, id, currency, moneyIn, moneyOut, fee }: Line): string =>
  [kind === 'Deposit' ? '' : id, currency, moneyIn, moneyOut, fee].join(' ');

const keyOf = ({ id = '', currency, moneyIn, moneyOut, fee }: Moved): string =>
  [id, currency, ...[moneyIn, moneyOut, fee].map(decimalOf)].join(' ');

/** Lines shown but not explained by a movement, and movements not shown; repeats count. */
function difference(shown: readonly string[], happened: readonly string[]): string[] {
  const left = Map.groupBy(happened, (key) => key);
  const tooMuch = shown.filter((key) => left.get(key)?.pop() === undefined);
  return [
    ...tooMuch.map((key) => `it shows ${key}, which did not happen`),
    ...[...left.values()].flat().map((key) => `it does not show ${key}`),
  ];
}
