import type { ApiClient } from '@vuka/local/testing/api-client';
import type { Booked } from '@vuka/local/testing/booked';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { History } from './history.ts';
import { decimalOf } from './price.ts';

/** Money that a user's wallet received or paid, as known to the clients. Amounts in minor units. */
export interface Moved {
  /** Undefined for a deposit: the client does not always learn the transaction's id. */
  id: string | undefined;
  currency: string;
  moneyIn: bigint;
  moneyOut: bigint;
  fee: bigint;
}

/** Someone with wallets: their name in findings, and what they had at the start. */
export interface Holder {
  name: string;
  client: ApiClient;
  funds: Partial<Record<WalletCurrency, bigint>>;
}

/** The movements of each user, by user id, or by phone for recipients. */
export function movedOf({ orders, movements }: History, rows: readonly Booked[]): Map<string, Moved[]> {
  const settled = rows.filter(({ status }) => status === 'SETTLED');
  const byKey = new Map(settled.map((row) => [row.client_transaction_id, row]));
  const moved = new Map<string, Moved[]>();
  const add = (who: string, what: Partial<Moved> & { currency: string }) => {
    const list = moved.get(who) ?? [];
    moved.set(who, list);
    list.push({ id: undefined, moneyIn: 0n, moneyOut: 0n, fee: 0n, ...what });
  };
  for (const { userId, currency, amount, isMoved } of movements)
    if (isMoved) add(userId, { currency, moneyIn: amount });
  for (const { clientTransactionId, userId, payee, source } of orders) {
    const row = byKey.get(clientTransactionId);
    if (!row) continue;
    const { id, recipient_phone: phone, target_currency: currency } = row;
    add(userId, { id, currency: source, moneyOut: BigInt(row.source_amount), fee: BigInt(row.fee) });
    if (payee === 'merchant') add(phone ?? '', { id, currency, moneyIn: BigInt(row.target_amount) });
  }
  return moved;
}

/** Every balance in the public API is the initial one plus the movements. Returns a line per contradiction. */
export async function checkBalances(
  holders: readonly Holder[],
  moved: ReadonlyMap<string, readonly Moved[]>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, client, funds } of holders) {
    const { body } = await client.get('/api/balances');
    for (const currency of WALLET_CURRENCIES) {
      const changes = (moved.get(name) ?? []).filter((each) => each.currency === currency);
      const change = changes.reduce((sum, { moneyIn, moneyOut, fee }) => sum + moneyIn - moneyOut - fee, 0n);
      const expected = decimalOf((funds[currency] ?? 0n) + change);
      const actual = body.balances?.[currency];
      if (actual !== expected) wrong.push(`${name}: has ${actual} ${currency}, should have ${expected}`);
    }
  }
  return wrong;
}
