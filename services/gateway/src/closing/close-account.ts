import { Ok } from '@vuka/contracts/http/common';
import { type AccountClosing, AccountStopped } from '@vuka/contracts/internal/account-closing';
import { AppError } from '@vuka/service-kit/app-error';
import type { ApiDeps } from '#api/api-deps.ts';

/**
 * Closes an account: transfers stops it, so that its money cannot change any more; admin checks that no deposit to it
 * waits; identity closes it. If one of them refuses, the account resumes at once. If one did not answer, the account
 * may have been closed: transfers then asks identity later.
 */
export async function closeAccount(
  services: ApiDeps['services'],
  closing: Pick<AccountClosing, 'userId' | 'code' | 'reason'>,
  caller: string,
): Promise<void> {
  const { userId } = closing;
  const stop = await services.transfers.post('/internal/accounts/stop', { userId }, AccountStopped, { caller });
  try {
    await services.admin.get(`/internal/accounts/${userId}/may-close`, Ok, { caller });
    await services.identity.post('/internal/accounts/close', { ...closing, before: stop.closeBefore }, Ok, { caller });
  } catch (error) {
    const isRefused = error instanceof AppError && error.code !== 'unavailable';
    // Null: another attempt may still close the account.
    if (isRefused && stop.resumesAt !== null) {
      const resuming = { userId, stopped: stop.resumesAt };
      await services.transfers.post('/internal/accounts/resume', resuming, Ok, { caller }).catch(() => undefined);
    }
    throw error;
  }
}
