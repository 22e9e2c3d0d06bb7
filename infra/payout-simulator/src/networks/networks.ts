import type { Db } from '#db/schema.ts';
import { COUNTRY_FACTS, NETWORKS, type NetworkState, type NetworkStatus } from './network.domain.ts';

const DEFAULT: NetworkState = { status: 'OPERATIONAL', minAmount: '1', maxAmount: '1000000000' };

/** The initial balance of each wallet. The books of a demonstration begin with a top-up of the same amount. */
const FLOAT = '500000000000';

/** Opens a wallet for each currency that has none. */
export async function openWallets(db: Db): Promise<void> {
  const wallets = [...COUNTRY_FACTS].map(([country, { currency }]) => ({
    currency,
    country,
    balance: FLOAT,
    reserved: '0',
  }));
  await db
    .insertInto('wallets')
    .values(wallets)
    .onConflict((conflict) => conflict.column('currency').doNothing())
    .execute();
}

export interface Networks {
  load(): Promise<void>;
  stateOf(network: string): NetworkState;
  set(network: string, change: Partial<NetworkState>): Promise<NetworkState>;
}

/** The settings of each network; by default open, and nearly without limits. */
export function createNetworks(db: Db): Networks {
  const states = new Map<string, NetworkState>();
  const stateOf = (network: string) => states.get(network) ?? DEFAULT;
  return {
    async load() {
      for (const row of await db.selectFrom('networks').selectAll().execute()) {
        if (!NETWORKS.some(({ network }) => network === row.network)) continue;
        states.set(row.network, {
          status: row.status as NetworkStatus,
          minAmount: row.min_amount,
          maxAmount: row.max_amount,
        });
      }
    },
    stateOf,
    async set(network, change) {
      const state = { ...stateOf(network), ...change };
      const row = { status: state.status, min_amount: state.minAmount, max_amount: state.maxAmount };
      await db
        .insertInto('networks')
        .values({ network, ...row })
        .onConflict((conflict) => conflict.column('network').doUpdateSet(row))
        .execute();
      states.set(network, state);
      return state;
    },
  };
}
