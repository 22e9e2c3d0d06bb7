import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TextCodes } from '@vuka/contracts/http/common';
import type { CreateTransfer } from '@vuka/contracts/http/orders';
import { useState } from 'react';
import { BALANCES_KEY, TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import { ApiError, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { draftAfter, emptyDraft, forgetUnanswered, type Price, withAttempt } from './transfer-draft.ts';
import {
  type CreatedTransfer,
  createTransfer,
  failureKind,
  phoneRefusal,
  quoteKey,
  quoteOfRateChange,
  toCreateBody,
  toPrice,
  transferFailure,
} from './transfers.api.ts';
import { useSubmissionLock } from './use-submission-lock.ts';
import type { useTransferDraft } from './use-transfer-draft.ts';
import { freeSentId, markSentId } from './used-ids.ts';

const MESSAGES = i18n('use-send-transfer', {
  initiated: 'Transaction Initiated',
  initiatedDetail: 'Your transfer request has been received and is being processed.',
  viewReceipt: 'View receipt',
  wait: 'Please wait',
  alreadyProcessing: 'Your transfer is already being processed',
  failed: 'Transfer failed',
  notInitiated: 'Failed to initiate transfer',
});

export function isDead(transfer: CreatedTransfer): boolean {
  return transfer.status === 'FAILED' || transfer.status === 'CANCELLED';
}

/** Shows the server's reason in the user's language; the translations are loaded on demand. */
async function showReason(reason: string, codes: TextCodes | undefined): Promise<void> {
  const notes = await import('#shared/i18n/transfer-notes.ts').catch(() => undefined);
  showError(MESSAGES.get().failed, notes?.noteText(reason, codes) ?? reason);
}

function announce(transfer: CreatedTransfer): void {
  const t = MESSAGES.get();
  if (isDead(transfer)) {
    if (transfer.status_reason) void showReason(transfer.status_reason, transfer.status_reason_codes);
    else showError(t.failed, t.notInitiated);
  } else {
    showToast({
      title: t.initiated,
      description: t.initiatedDetail,
      tone: 'success',
      action: { label: t.viewReceipt, to: receiptPath(transfer.id) },
    });
  }
}

type Drafts = Pick<ReturnType<typeof useTransferDraft>, 'updateDraft' | 'readDraft' | 'dropIfSent' | 'startOver'>;

/** What failed attempts say about the draft and its fields. */
function useFailures({ updateDraft, readDraft, startOver }: Drafts) {
  const client = useQueryClient();
  const [failures, setFailures] = useState<{ count: number; pinError?: string }>({ count: 0 });
  const [refusedPhone, setRefusedPhone] = useState<{ phone: string; reason: string }>();

  const takeNewPrice = (error: unknown, body: CreateTransfer): void => {
    const key = quoteKey({ direction: body.direction, amount: readDraft().amount });
    const quote = quoteOfRateChange(error);
    if (quote) client.setQueryData(key, toPrice(quote, undefined, Date.now()));
    else void client.invalidateQueries({ queryKey: key });
  };

  /** Updates the draft after a failure. */
  const keepDraft = (error: unknown): void => {
    const { clientTransactionId } = readDraft();
    const next = draftAfter(failureKind(error), error, readDraft());
    if (next.clientTransactionId === clientTransactionId && !next.attempt) freeSentId(clientTransactionId);
    updateDraft(next);
  };

  const fail = (error: unknown, body: CreateTransfer): void => {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'idempotency_conflict') {
      // The id was sent with other details or at another price. Continuing under a new id could pay twice.
      startOver();
      return;
    }
    const pinError = code === 'invalid_pin' ? { pinError: errorMessage(error) } : {};
    setFailures(({ count }) => ({ count: count + 1, ...pinError }));
    const reason = phoneRefusal(error);
    if (reason) setRefusedPhone({ phone: readDraft().phone, reason });
    keepDraft(error);
    if (code === 'rate_changed') {
      takeNewPrice(error, body);
      return;
    }
    void client.invalidateQueries({ queryKey: BALANCES_KEY });
    const { title, description } = transferFailure(error);
    showError(title, description);
  };
  return { failures, refusedPhone, fail, forgetFailures: () => setFailures({ count: 0 }) };
}

interface SendTransferOptions {
  draft: Drafts;
  onSent: (transfer: CreatedTransfer) => void;
}

export function useSendTransfer({ draft: drafts, onSent }: SendTransferOptions) {
  const { updateDraft, readDraft, dropIfSent } = drafts;
  const client = useQueryClient();
  const lock = useSubmissionLock();
  const { fail, ...failures } = useFailures(drafts);
  const isCurrent = (body: CreateTransfer): boolean => body.clientTransactionId === readDraft().clientTransactionId;

  /** Returns whether this transfer was waiting for an answer when its details were changed. */
  const endEarlier = ({ clientTransactionId }: CreateTransfer): boolean => {
    const next = forgetUnanswered(readDraft(), clientTransactionId);
    if (next) updateDraft(next);
    return next !== undefined;
  };

  const mutation = useMutation({
    mutationFn: createTransfer,
    meta: { silent: true },
    onSuccess(transfer, body) {
      void client.invalidateQueries({ queryKey: BALANCES_KEY });
      void client.invalidateQueries({ queryKey: TRANSACTIONS_KEY });
      if (isCurrent(body)) {
        lock.release();
        failures.forgetFailures();
        updateDraft(emptyDraft(body.direction, readDraft().unanswered));
        announce(transfer);
        onSent(transfer);
        // Anything else is a second answer for the same transfer, after the lock had opened.
      } else if (endEarlier(body)) announce(transfer);
    },
    onError(error, body) {
      if (isCurrent(body)) {
        lock.release();
        fail(error, body);
      } else if (failureKind(error) === 'ended') endEarlier(body);
    },
  });

  const send = (price: Price, pin: string): void => {
    if (dropIfSent()) return;
    if (!lock.acquire()) {
      const t = MESSAGES.get();
      showToast({ title: t.wait, description: t.alreadyProcessing });
      return;
    }
    const draft = withAttempt(readDraft(), price, new Date());
    markSentId(draft.clientTransactionId);
    updateDraft(draft);
    mutation.mutate(toCreateBody(draft, draft.attempt?.price ?? price, pin));
  };
  return { send, isSending: lock.isLocked, isSlow: lock.hasTimedOut, ...failures };
}
