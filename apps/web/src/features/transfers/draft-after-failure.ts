import { ApiError } from '#shared/api-client.ts';
import { createClientTransactionId, isOfSender, type TransferDraft } from './transfer-draft.ts';
import { failureKind } from './transfers.api.ts';

/** The server refused before it stored anything: the same transfer may be sent again, at a new price. */
export function withoutAttempt(draft: TransferDraft): TransferDraft {
  const { attempt: _, ...rest } = draft;
  return rest;
}

/** An outcome has used up the id: the next transfer is a new one. */
export function withNewId(draft: TransferDraft): TransferDraft {
  return { ...withoutAttempt(draft), clientTransactionId: createClientTransactionId() };
}

/**
 * Whether a failed call proves that nothing comes of an attempt. A refusal of the sender says nothing about an earlier,
 * unanswered request of the same attempt.
 */
export function isOver(error: unknown, attempt: TransferDraft['attempt']): boolean {
  const kind = failureKind(error);
  if (kind !== 'refused') return kind === 'ended';
  return !(attempt?.isRepeat && error instanceof ApiError && isOfSender(error));
}

/** The draft after a failed attempt. */
export function draftAfter(error: unknown, draft: TransferDraft): TransferDraft {
  if (!isOver(error, draft.attempt)) return draft;
  return failureKind(error) === 'ended' ? withNewId(draft) : withoutAttempt(draft);
}
