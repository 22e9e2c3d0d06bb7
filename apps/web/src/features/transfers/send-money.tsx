import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateTransfer } from '@vuka/contracts/http/transfers';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { BALANCES_KEY, balancesQuery } from '#shared/api/balances.api.ts';
import { TRANSACTIONS_KEY } from '#shared/api/transactions.api.ts';
import { ApiError, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import type { SessionUser } from '#shared/session.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Page } from '#shared/ui/page.tsx';
import { ConfirmTransfer } from './confirm-transfer.tsx';
import { SendDetails } from './send-details.tsx';
import { amountError, currenciesOf } from './transfer-details.ts';
import {
  changeDetails,
  emptyDraft,
  type Price,
  type TransferDraft,
  withAttempt,
  withNewId,
  withoutAttempt,
} from './transfer-draft.ts';
import {
  type CreatedTransfer,
  createTransfer,
  failureKind,
  quoteKey,
  quoteOfRateChange,
  toCreateBody,
  toPrice,
  transferFailure,
} from './transfers.api.ts';
import { usePrice } from './use-price.ts';
import { useSubmissionLock } from './use-submission-lock.ts';
import { useTransferDraft } from './use-transfer-draft.ts';

const MESSAGES = i18n('send-money', {
  title: 'Send Money',
  initiated: 'Transaction Initiated',
  initiatedDetail: 'Your transfer request has been received and is being processed.',
  viewReceipt: 'View receipt',
  wait: 'Please wait',
  alreadyProcessing: 'Your transfer is already being processed',
  failed: 'Transfer failed',
  notInitiated: 'Failed to initiate transfer',
});

interface SendMoneyProps {
  user: SessionUser;
  /** What stands above the form after a transfer, by the transfer's id. */
  renderLastTransfer: (id: string) => ReactNode;
}

function isDead(transfer: CreatedTransfer): boolean {
  return transfer.status === 'FAILED' || transfer.status === 'CANCELLED';
}

function announce(transfer: CreatedTransfer): void {
  if (isDead(transfer)) showError(MESSAGES.get().failed, transfer.status_reason || MESSAGES.get().notInitiated);
  else {
    showToast({
      title: MESSAGES.get().initiated,
      description: MESSAGES.get().initiatedDetail,
      tone: 'success',
      action: { label: MESSAGES.get().viewReceipt, to: receiptPath(transfer.id) },
    });
  }
}

/** What a failure leaves of the draft: see failureKind. */
function draftAfter(error: unknown, draft: TransferDraft): TransferDraft {
  const kind = failureKind(error);
  if (kind === 'unknown') return draft;
  return kind === 'ended' ? withNewId(draft) : withoutAttempt(draft);
}

interface SendTransferOptions {
  updateDraft: (draft: TransferDraft) => void;
  readDraft: () => TransferDraft;
  onSent: (transfer: CreatedTransfer) => void;
}

function useSendTransfer({ updateDraft, readDraft, onSent }: SendTransferOptions) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const lock = useSubmissionLock();
  const [failures, setFailures] = useState<{ count: number; pinError?: string }>({ count: 0 });

  const takeNewPrice = (error: unknown, body: CreateTransfer): void => {
    const key = quoteKey({ direction: body.direction, amount: readDraft().amount });
    const quote = quoteOfRateChange(error);
    if (quote) client.setQueryData(key, toPrice(quote, undefined, Date.now()));
    else void client.invalidateQueries({ queryKey: key });
  };

  const mutation = useMutation({
    mutationFn: createTransfer,
    meta: { silent: true },
    onSuccess(transfer, body) {
      void client.invalidateQueries({ queryKey: BALANCES_KEY });
      void client.invalidateQueries({ queryKey: TRANSACTIONS_KEY });
      // A second answer to one transfer, after the lock had opened: the first one has been dealt with.
      if (body.clientTransactionId !== readDraft().clientTransactionId) return;
      lock.release();
      setFailures({ count: 0 });
      updateDraft(emptyDraft(body.direction));
      announce(transfer);
      onSent(transfer);
    },
    onError(error, body) {
      if (body.clientTransactionId !== readDraft().clientTransactionId) return;
      lock.release();
      const isWrongPin = error instanceof ApiError && error.code === 'invalid_pin';
      setFailures(({ count }) => ({ count: count + 1, ...(isWrongPin ? { pinError: errorMessage(error) } : {}) }));
      updateDraft(draftAfter(error, readDraft()));
      if (error instanceof ApiError && error.code === 'rate_changed') {
        takeNewPrice(error, body);
        return;
      }
      void client.invalidateQueries({ queryKey: BALANCES_KEY });
      const { title, description } = transferFailure(error);
      showError(title, description);
    },
  });

  const send = (price: Price, pin: string): void => {
    if (!lock.acquire()) {
      showToast({ title: t.wait, description: t.alreadyProcessing });
      return;
    }
    const draft = withAttempt(readDraft(), price, new Date());
    updateDraft(draft);
    mutation.mutate(toCreateBody(draft, draft.attempt?.price ?? price, pin));
  };
  const forgetFailures = (): void => setFailures({ count: 0 });
  return { send, isSending: lock.isLocked, isSlow: lock.hasTimedOut, failures, forgetFailures };
}

export function SendMoney({ user, renderLastTransfer }: SendMoneyProps) {
  const t = useStore(MESSAGES);
  const location = useLocation() as { state: { sourceCurrency?: string } | null };
  const asked = location.state?.sourceCurrency;
  const { draft, updateDraft, readDraft } = useTransferDraft({
    userId: user.id,
    direction: (asked ?? user.defaultCurrency) === 'TZS' ? 'TZS_TO_KES' : 'KES_TO_TZS',
    isDirectionAsked: asked !== undefined,
  });
  // The price that the details step showed when it was left; undefined on the details step.
  const [reviewed, setReviewed] = useState<{ price: Price | undefined }>();
  const [lastId, setLastId] = useState<string>();
  const balance = useQuery(balancesQuery()).data?.balances[currenciesOf(draft.direction).source];
  const priceView = usePrice(draft, amountError(draft.amount, balance) === undefined);
  const sending = useSendTransfer({
    updateDraft,
    readDraft,
    onSent(transfer) {
      setReviewed(undefined);
      setLastId(isDead(transfer) ? undefined : transfer.id);
    },
  });

  if (reviewed) {
    return (
      <div className="mx-auto max-w-merchant px-4 pt-2 sm:px-6">
        <ConfirmTransfer
          draft={draft}
          priceView={priceView}
          reviewedPrice={reviewed.price}
          isSending={sending.isSending}
          isSlow={sending.isSlow}
          failureCount={sending.failures.count}
          serverPinError={sending.failures.pinError}
          onBack={() => {
            sending.forgetFailures();
            setReviewed(undefined);
          }}
          onConfirm={sending.send}
        />
      </div>
    );
  }
  return (
    <Page title={t.title}>
      {lastId ? <div className="mb-5">{renderLastTransfer(lastId)}</div> : null}
      <SendDetails
        draft={draft}
        balance={balance}
        priceView={priceView}
        onChange={(changes) => updateDraft(changeDetails(readDraft(), changes))}
        onReview={() => setReviewed({ price: priceView.price })}
      />
    </Page>
  );
}
