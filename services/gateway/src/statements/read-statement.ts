import { dayEnd, dayStart } from '@vuka/contracts/http/days';
import type { StatementMovement, StatementQuery, StatementWallet } from '@vuka/contracts/http/statements';
import { TransferItems } from '@vuka/contracts/internal/transfers';
import { AccountStatements, type EntryRange, StatementEntries } from '@vuka/contracts/internal/wallet';
import { formatMoney, parseMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { ApiDeps } from '#api/api-deps.ts';

const PAGE_SIZE = 500;

type Services = Pick<ApiDeps['services'], 'wallet' | 'transfers'>;
type Entry = StatementEntries['entries'][number];

interface Summary {
  wallets: StatementWallet[];
  /** The ranges of entries to read. */
  ranges: EntryRange[];
}

/** The wallets of a period, from the ledger; every wallet currency is present, even without any entries. */
export async function readWallets(services: Services, userId: string, period: StatementQuery): Promise<Summary> {
  const query = new URLSearchParams({ from: dayStart(period.from), before: dayEnd(period.to) });
  const answer = await services.wallet.get(`/internal/accounts/${userId}/statement?${query}`, AccountStatements);
  const known = answer.wallets.map(({ range: _, held, ...wallet }) => ({ ...wallet, reserved: held }));
  const missing = WALLET_CURRENCIES.filter((currency) => known.every((wallet) => wallet.currency !== currency));
  const wallets = [...known, ...missing.map(emptyWallet)].sort((a, b) => a.currency.localeCompare(b.currency));
  return { wallets, ranges: answer.wallets.map(({ range }) => range) };
}

function emptyWallet(currency: WalletCurrency): StatementWallet {
  const zero = '0.00';
  return { currency, opening: zero, moneyIn: zero, moneyOut: zero, fees: zero, closing: zero, reserved: zero };
}

/** The next movements, oldest first, and the remaining ranges; null at the end. `caller` is the owner's token. */
export async function readMovements(
  services: Services,
  owner: { userId: string; caller: string },
  ranges: EntryRange[],
): Promise<{ movements: StatementMovement[]; next: EntryRange[] | null }> {
  if (ranges.length === 0) return { movements: [], next: null };
  const path = `/internal/accounts/${owner.userId}/statement-entries`;
  const page = await services.wallet.post(path, { ranges, limit: PAGE_SIZE }, StatementEntries, { idempotent: true });
  const ids = [...new Set(page.entries.filter(isOutgoing).map(({ transferId }) => transferId))];
  const sent =
    ids.length > 0
      ? await services.transfers.post('/internal/transfers/find-batch', { ids }, TransferItems, {
          caller: owner.caller,
          idempotent: true,
        })
      : { items: [] };
  const phones = new Map(sent.items.map(({ id, recipientPhone }) => [id, recipientPhone]));
  return { movements: page.entries.map((entry) => toMovement(entry, phones)), next: page.next };
}

const isOutgoing = ({ amount }: Entry) => amount.startsWith('-');

function toMovement(entry: Entry, phones: Map<string, string | null>): StatementMovement {
  const amount = parseMoney(entry.amount);
  const isOut = isOutgoing(entry);
  return {
    transactionId: entry.transferId,
    at: entry.createdAt,
    kind: isOut ? 'sent' : entry.kind === 'deposit' ? 'deposit' : 'received',
    recipientPhone: phones.get(entry.transferId) ?? null,
    currency: entry.currency,
    moneyIn: isOut ? '0.00' : entry.amount,
    moneyOut: isOut ? formatMoney(-amount - parseMoney(entry.fee)) : '0.00',
    fee: entry.fee,
    balance: entry.balanceAfter,
  };
}
