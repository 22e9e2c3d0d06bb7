import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorMessage } from '#shared/api-client.ts';
import { formatTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { retryTransaction, stuckTransactionsQuery } from './recovery.api.ts';

const MESSAGES = i18n('admin/retry', {
  failed: 'Failed to Retry Transaction',
  unknown: 'An unknown error occurred',
  fallback: 'Failed to retry transaction',
  done: 'Transaction Retry Initiated',
  queued: params('Retry queued {time} by you'),
  doneDetail: params('Transaction {id} has been successfully queued for retry.'),
});

/** The outcome of the last retry of a transaction, on its row. */
export interface RetryOutcome {
  isQueued: boolean;
  text: string;
}

/** Queues retries; `retrying` holds the ids with a request in flight, possibly several. */
export function useRetry() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, RetryOutcome>>(new Map());

  const reasonOf = (error: unknown): string => {
    if (error instanceof ApiError && !error.body?.error) return error.body ? t.unknown : t.fallback;
    return errorMessage(error, t.unknown);
  };
  const note = (id: string, outcome: RetryOutcome): void => setOutcomes((known) => new Map(known).set(id, outcome));
  const queuedNow = (): RetryOutcome => ({ isQueued: true, text: t.queued({ time: formatTime(Date.now()) }) });
  const { mutate } = useMutation({
    mutationFn: retryTransaction,
    meta: { silent: true },
    onMutate: (id) => setRetrying((ids) => new Set(ids).add(id)),
    async onSuccess(_, id) {
      note(id, queuedNow());
      showToast({ title: t.done, description: t.doneDetail({ id }), tone: 'success' });
      await client.invalidateQueries({ queryKey: stuckTransactionsQuery().queryKey });
    },
    onError(error, id) {
      const text = reasonOf(error);
      note(id, { isQueued: false, text });
      showError(t.failed, text);
    },
    onSettled: (_answer, _error, id) => setRetrying((ids) => new Set([...ids].filter((other) => other !== id))),
  });
  const { mutateAsync: retryOne } = useMutation({ mutationFn: retryTransaction, meta: { silent: true } });
  /**
   * Sends one call per transaction, in sequence: each has its own outcome, and a refusal does not stop the others,
   * unless the session has ended.
   */
  const retryMany = async (ids: readonly string[]): Promise<void> => {
    setOutcomes(new Map());
    setRetrying((known) => new Set([...known, ...ids]));
    for (const id of ids) {
      const error = await retryOne(id).then(
        () => undefined,
        (cause: unknown) => cause,
      );
      if (error instanceof ApiError && error.endsSession) return;
      note(id, error ? { isQueued: false, text: reasonOf(error) } : queuedNow());
      setRetrying((known) => new Set([...known].filter((other) => other !== id)));
    }
    await client.invalidateQueries({ queryKey: stuckTransactionsQuery().queryKey });
  };
  return { retrying, outcomes, retry: (id: string) => mutate(id), retryMany };
}
