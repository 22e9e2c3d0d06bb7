import { Ok } from '@vuka/contracts/http/common';
import { CommandsBatchResults, type WalletCommand, type WalletResult } from '@vuka/contracts/internal/wallet';
import { unavailable } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { ServiceClient } from '@vuka/service-kit/service-client';

type Decided = Exclude<WalletResult, { outcome: 'failed' }>;

export interface WalletClient {
  /**
   * Carries a command out, once for its key however often it is sent. Throws unavailable when the wallet gave no
   * answer; then the same command may be sent again.
   */
  execute(command: WalletCommand): Promise<Decided>;
  /** Throws unavailable while it cannot carry anything out. */
  mustBeReady(): Promise<void>;
}

/** Sends commands that wait at the same time in one call. */
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
      const result = await commands.submit(command);
      if (result.outcome === 'failed') {
        throw unavailable(new Error(`the wallet is ${result.reason}`), result.retryAfterSeconds);
      }
      return result;
    },
    async mustBeReady() {
      await http.get('/internal/commands/possible', Ok);
    },
  };
}
