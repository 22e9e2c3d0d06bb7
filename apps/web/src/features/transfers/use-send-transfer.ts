import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BALANCES_KEY, TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import type { Order, ShownFailure } from './sending.ts';
import { emptyDraft, forgetUnanswered, type Price, withAttempt } from './transfer-draft.ts';
import type { CreatedTransfer } from './transfers.api.ts';
import { useSubmissionLock } from './use-submission-lock.ts';
import type { useTransferDraft } from './use-transfer-draft.ts';
import { markSentId } from './used-ids.ts';

/** The page loads it with the confirm step, so that it is there before anything is sent. */
export const loadSending = () => import('./sending.ts');

interface SendTransferOptions {
  drafts: Pick<ReturnType<typeof useTransferDraft>, 'updateDraft' | 'readDraft' | 'dropIfSent' | 'startOver'>;
  onSent: (transfer: CreatedTransfer) => void;
}

export function useSendTransfer({ drafts, onSent }: SendTransferOptions) {
  const { updateDraft, readDraft, dropIfSent } = drafts;
  const client = useQueryClient();
  const lock = useSubmissionLock();
  const [failures, setFailures] = useState<ShownFailure & { count: number }>({ count: 0 });
  const [refusedPhone, setRefusedPhone] = useState<ShownFailure['refusedPhone']>();
  const forgetFailures = (): void => setFailures({ count: 0 });
  const isCurrent = ({ draft }: Order): boolean => draft.clientTransactionId === readDraft().clientTransactionId;

  const mutation = useMutation({
    mutationFn: async (order: Order) => (await loadSending()).sendTransfer(order),
    meta: { silent: true },
    async onSuccess(created, order) {
      void client.invalidateQueries({ queryKey: BALANCES_KEY });
      void client.invalidateQueries({ queryKey: TRANSACTIONS_KEY });
      const others = forgetUnanswered(readDraft(), order.draft.clientTransactionId);
      if (isCurrent(order)) {
        lock.release();
        forgetFailures();
        updateDraft(emptyDraft(order.draft.direction, readDraft().unanswered));
        onSent(created.answer);
      } else if (others) updateDraft(others);
      // A second answer for the same transfer, after the lock had opened.
      else return;
      await (await loadSending()).announceTransfer(created);
    },
    async onError(error, order) {
      const { takeFailure, takeEarlierFailure } = await loadSending();
      const form = {
        drafts,
        client,
        onFailure(failure: ShownFailure): void {
          setFailures(({ count }) => ({ ...failure, count: count + 1 }));
          // It outlasts the confirm step: the details show it.
          setRefusedPhone((before) => failure.refusedPhone ?? before);
        },
      };
      if (isCurrent(order)) {
        lock.release();
        takeFailure(error, form);
      } else takeEarlierFailure(error, order, form);
    },
  });

  /** Returns false if the transfer is already being sent. */
  const send = (price: Price, pin: string): boolean => {
    if (dropIfSent()) return true;
    if (!lock.acquire()) return false;
    const draft = withAttempt(readDraft(), price, new Date());
    markSentId(draft.clientTransactionId);
    updateDraft(draft);
    mutation.mutate({ draft, pin });
    return true;
  };
  return { send, isSending: lock.isLocked, isSlow: lock.hasTimedOut, failures, refusedPhone, forgetFailures };
}
