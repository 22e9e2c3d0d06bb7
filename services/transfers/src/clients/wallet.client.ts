import { Ok } from '@vuka/contracts/http/common';
import {
  BalancesBatchResults,
  CommandsBatchResults,
  OperatorBalances,
  type WalletCommand,
  type WalletResult,
} from '@vuka/contracts/internal/wallet';
import { MINOR_PER_UNIT, parseMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { unavailable } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { traced } from '@vuka/service-kit/tracing';

type Decided = Exclude<WalletResult, { outcome: 'failed' }>;

export interface WalletClient {
  /**
   * Executes a command, once per key however often it is sent. Throws unavailable when the wallet gave no answer; the
   * same command may then be sent again.
   */
  execute(command: WalletCommand): Promise<Decided>;
  /** What a user may spend, in minor units. Throws unavailable. */
  available(userId: string, currency: WalletCurrency): Promise<bigint>;
  /**
   * Whether no wallet of the user has a whole unit, the least that the app sends or withdraws, and nothing is reserved.
   * Throws unavailable.
   */
  isEmpty(userId: string): Promise<boolean>;
  /** The operator's money with the provider by our books, by currency, in minor units. Throws unavailable. */
  floats(): Promise<Map<string, bigint>>;
  /** Throws unavailable while the wallet cannot execute commands. */
  mustBeReady(): Promise<void>;
}

/** Batches concurrent commands into one call. */
export function createWalletClient(http: ServiceClient): WalletClient {
  const commands = createBatcher<WalletCommand, WalletResult>({
    concurrency: 2,
    async run(items) {
      const answer = await http.post('/internal/commands-batch', { items }, CommandsBatchResults, { idempotent: true });
      return answer.results;
    },
  });
  return {
    async execute(command) {
      const span = { name: `ask the wallet: ${command.kind}`, kind: 'client' } as const;
      const result = await traced(command.transferId, span, () => commands.submit(command));
      if (result.outcome === 'failed') {
        throw unavailable(new Error(`the wallet is ${result.reason}`), result.retryAfterSeconds);
      }
      return result;
    },
    async available(userId, currency) {
      const { results } = await http.post('/internal/balances-batch', { items: [{ userId }] }, BalancesBatchResults, {
        idempotent: true,
      });
      return parseMoney(results[0]?.balances[currency].available ?? '0');
    },
    async isEmpty(userId) {
      const { results } = await http.post('/internal/balances-batch', { items: [{ userId }] }, BalancesBatchResults, {
        idempotent: true,
      });
      const balances = Object.values(results[0]?.balances ?? {});
      return balances.every(({ posted, held }) => parseMoney(posted) < MINOR_PER_UNIT && parseMoney(held) === 0n);
    },
    async floats() {
      const { accounts } = await http.get('/internal/operator-accounts', OperatorBalances);
      const clearing = accounts.filter(({ account }) => account === 'payout-clearing');
      return new Map(clearing.map(({ currency, balance }) => [currency, -parseMoney(balance)]));
    },
    async mustBeReady() {
      await http.get('/internal/commands/possible', Ok);
    },
  };
}
