import { type ApiClient, signInAdmin, signInApprover } from '@vuka/local/testing/api-client';
import type { WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { minorOf } from './price.ts';

export interface Administrator {
  client: ApiClient;
  userId: string;
  /** Minor units at the start. */
  funds: Record<WalletCurrency, bigint>;
}

/** Two administrators: one requests what needs four eyes, the other decides on it. */
export interface Administrators {
  admin: Administrator;
  approver: Administrator;
}

export async function signInAdministrators(address: string): Promise<Administrators> {
  const [admin, approver] = await Promise.all([signInAdmin(address), signInApprover(address)]);
  return { admin: await administratorOf(admin), approver: await administratorOf(approver) };
}

async function administratorOf(client: ApiClient): Promise<Administrator> {
  const [user, { body }] = await Promise.all([client.get('/api/user'), client.get('/api/balances')]);
  const funds = byCurrency(WALLET_CURRENCIES, (currency) => minorOf(body.balances[currency]));
  return { client, userId: user.body.id, funds };
}
