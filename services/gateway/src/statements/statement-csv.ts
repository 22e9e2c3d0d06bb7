import { eastAfricaClock } from '@vuka/contracts/http/days';
import type { StatementMovement, StatementQuery, StatementWallet } from '@vuka/contracts/http/statements';

const COLUMNS = [
  'Date (UTC+3)',
  'Type',
  'Transaction ID',
  'Recipient',
  'Currency',
  'Money in',
  'Money out',
  'Fee',
  'Balance',
] as const;

const KINDS = { deposit: 'Deposit', sent: 'Sent', received: 'Received' } as const;

/** Excel recognises UTF-8 by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

export const csvHead = () => BYTE_ORDER_MARK + toLine(COLUMNS);

export function csvOpening({ from }: StatementQuery, wallets: readonly StatementWallet[]): string {
  return lines(wallets, ({ currency, opening }) => [from, 'Opening balance', '', '', currency, '', '', '', opening]);
}

export function csvMovements(movements: readonly StatementMovement[]): string {
  return lines(movements, (each) => [
    toLocalTime(each.at),
    KINDS[each.kind],
    each.transactionId,
    each.recipientPhone ?? '',
    each.currency,
    each.moneyIn,
    each.moneyOut,
    each.fee,
    each.balance,
  ]);
}

/** The last lines hold the sums of the columns above them. */
export function csvClosing({ to }: StatementQuery, wallets: readonly StatementWallet[]): string {
  return lines(wallets, (wallet) => {
    const { currency, moneyIn, moneyOut, fees, closing } = wallet;
    return [to, 'Closing balance', '', '', currency, moneyIn, moneyOut, fees, closing];
  });
}

function lines<Item>(items: readonly Item[], toCells: (item: Item) => readonly string[]): string {
  return items.map((item) => toLine(toCells(item))).join('');
}

/** One line, as in RFC 4180. */
export function toLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** A spreadsheet would run text that begins like a formula; after an apostrophe it stays text. */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** "2026-01-31 14:05:09", as spreadsheets read dates. */
function toLocalTime(at: string): string {
  return eastAfricaClock(Date.parse(at)).toISOString().slice(0, 19).replace('T', ' ');
}
