import { parseMoney } from '@vuka/money';
import * as z from 'zod/mini';
import type { BalancesResult } from '../payout-provider.ts';
import type { Answer } from './pawapay-http.ts';

const Balances = z.object({
  balances: z.array(z.object({ currency: z.string(), balance: z.string().check(z.regex(/^-?\d{1,15}(\.\d+)?$/)) })),
});

/** Reads the answer of `GET /v2/wallet-balances`. A currency with several wallets is their sum. */
export function readBalances({ status, json }: Answer): BalancesResult {
  const read = Balances.safeParse(json);
  if (status !== 200 || !read.success) return { kind: 'unavailable', reason: `HTTP ${status}` };
  const balances = new Map<string, bigint>();
  for (const { currency, balance } of read.data.balances) {
    balances.set(currency, (balances.get(currency) ?? 0n) + toMinor(balance));
  }
  return { kind: 'balances', balances };
}

/** Digits after the second decimal are below our smallest unit. */
function toMinor(balance: string): bigint {
  const [units = '', decimals = ''] = balance.split('.');
  return parseMoney(`${units}.${decimals.slice(0, 2).padEnd(2, '0')}`);
}
