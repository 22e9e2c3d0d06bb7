import { params } from '@nanostores/i18n';
import type { QueryClient } from '@tanstack/react-query';
import type { TextCodes } from '@vuka/contracts/http/common';
import { BALANCES_KEY } from '#shared/api/keys.ts';
import {
  ApiError,
  errorMessage,
  MalformedAnswerError,
  NetworkError,
  parseAnswer,
  sendRequest,
} from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import { hasFailed } from '#shared/status-view.ts';
import { type Submitted, withRepeatNote } from '#shared/submission-key.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { draftAfter, isOver } from './draft-after-failure.ts';
import { quoteKey, toPrice } from './quotes.api.ts';
import { forgetUnanswered, type SentDraft } from './transfer-draft.ts';
import {
  CreateAnswer,
  type CreatedTransfer,
  failureKind,
  phoneRefusal,
  quoteOfRateChange,
  toCreateBody,
} from './transfers.api.ts';
import type { useTransferDraft } from './use-transfer-draft.ts';
import { freeSentId } from './used-ids.ts';

// What happens after the PIN: loaded with the confirm step, and not with the first view of the page.

const MESSAGES = i18n('sending', {
  initiated: 'Transaction Initiated',
  initiatedDetail: 'Your transfer request has been received and is being processed.',
  viewReceipt: 'View receipt',
  failed: 'Transfer failed',
  notInitiated: 'Failed to initiate transfer',
  network: 'Network Error',
  serverError: params('Server error: {status} {statusText}'),
});

/** A draft and the PIN that confirmed it. */
export interface Order {
  draft: SentDraft;
  pin: string;
}

/** `isRepeat`: an earlier attempt, which got no answer, had made the transfer already. */
export async function sendTransfer({ draft, pin }: Order): Promise<Submitted<CreatedTransfer>> {
  const body = toCreateBody(draft, pin);
  const { json, status } = await sendRequest('/api/transactions/create', { method: 'POST', body });
  const isRepeat = status === 200 && draft.attempt.isRepeat === true;
  return { answer: parseAnswer(CreateAnswer, json).transaction, isRepeat };
}

/** The server's reason in the user's language; the translations are loaded on demand. */
async function reasonText(reason: string, codes: TextCodes | undefined): Promise<string> {
  const notes = await import('#shared/i18n/transfer-notes.ts').catch(() => undefined);
  return notes?.noteText(reason, codes) ?? reason;
}

export async function announceTransfer({ answer, isRepeat }: Submitted<CreatedTransfer>): Promise<void> {
  const t = MESSAGES.get();
  if (hasFailed(answer.status)) {
    const { status_reason: reason, status_reason_codes: codes } = answer;
    showError(t.failed, withRepeatNote(reason ? await reasonText(reason, codes) : t.notInitiated, isRepeat));
    return;
  }
  showToast({
    title: t.initiated,
    description: withRepeatNote(t.initiatedDetail, isRepeat),
    tone: 'success',
    action: { label: t.viewReceipt, to: receiptPath(answer.id) },
  });
}

export function transferFailure(error: unknown): { title: string; description: string } {
  const t = MESSAGES.get();
  if (error instanceof NetworkError) return { title: t.network, description: errorMessage(error) };
  if (error instanceof ApiError) {
    if (error.body?.error) return { title: t.failed, description: errorMessage(error) };
    const unread = t.serverError({ status: String(error.status), statusText: error.statusText }).trim();
    return { title: t.failed, description: error.body ? t.notInitiated : unread };
  }
  const isMalformed = error instanceof MalformedAnswerError;
  return {
    title: t.failed,
    description: isMalformed ? t.notInitiated : errorMessage(error, t.notInitiated),
  };
}

/** What the form shows of a failure. */
export interface ShownFailure {
  pinError?: string;
  refusedPhone?: { phone: string; reason: string };
}

/** The form from which transfers are sent, as far as a failure changes it. */
interface SendForm {
  drafts: Pick<ReturnType<typeof useTransferDraft>, 'updateDraft' | 'readDraft' | 'startOver'>;
  client: QueryClient;
  onFailure: (failure: ShownFailure) => void;
}

function showFailure(error: unknown, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: BALANCES_KEY });
  const { title, description } = transferFailure(error);
  showError(title, description);
}

/** Takes the failure of the transfer that the form shows. */
export function takeFailure(error: unknown, { drafts, client, onFailure }: SendForm): void {
  const draft = drafts.readDraft();
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'idempotency_conflict') {
    // The id was sent with other details or at another price. Continuing under a new id could pay twice.
    drafts.startOver();
    showFailure(error, client);
    return;
  }
  const reason = phoneRefusal(error);
  onFailure({
    ...(isWrongPin(error) ? { pinError: errorMessage(error) } : {}),
    ...(reason ? { refusedPhone: { phone: draft.phone, reason } } : {}),
  });
  const next = draftAfter(error, draft);
  if (next.clientTransactionId === draft.clientTransactionId && !next.attempt) freeSentId(draft.clientTransactionId);
  drafts.updateDraft(next);
  showFailure(error, client);
  if (code !== 'rate_changed') return;
  const quote = quoteOfRateChange(error);
  if (quote) client.setQueryData(quoteKey(draft), toPrice(quote, undefined, Date.now()));
  else void client.invalidateQueries({ queryKey: quoteKey(draft) });
}

/** Takes the failure of a transfer whose details were changed since. Without an answer there is nothing new to say. */
export function takeEarlierFailure(error: unknown, { draft: sent }: Order, { drafts, client }: SendForm): void {
  const draft = drafts.readDraft();
  const earlier = draft.unanswered?.find((each) => each.clientTransactionId === sent.clientTransactionId);
  if (!earlier || failureKind(error) === 'unknown') return;
  if (isOver(error, earlier.attempt)) {
    drafts.updateDraft(forgetUnanswered(draft, earlier.clientTransactionId) ?? draft);
  }
  showFailure(error, client);
}
