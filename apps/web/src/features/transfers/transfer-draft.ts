import * as z from 'zod/mini';
import { ApiError, parseJson } from '#shared/api-client.ts';

const Price = z.object({
  /** Whole units, or a decimal string as the server quoted it. */
  targetAmount: z.string(),
  rate: z.number(),
  fee: z.optional(z.string()),
  quoteId: z.optional(z.string()),
  /** By this device's clock. Given where the server holds the rate. */
  heldUntilMs: z.optional(z.number()),
});
export type Price = z.infer<typeof Price>;

/** What somebody who saw this price agreed to pay on top. Where no fee was shown, that is nothing. */
export function feeOf(price: Price): string {
  return price.fee ?? '0.00';
}

const Draft = z.object({
  direction: z.enum(['KES_TO_TZS', 'TZS_TO_KES']),
  /** Digits of a whole amount in the source currency. */
  amount: z.string(),
  /** Local digits of the recipient's number, without prefix. */
  phone: z.string(),
  clientTransactionId: z.string(),
  /** What was sent without an answer. A repeat must be the same to the letter, so that the server knows it again. */
  attempt: z.optional(z.object({ price: Price, timestamp: z.string(), isRepeat: z.optional(z.boolean()) })),
});
export type TransferDraft = z.infer<typeof Draft>;
export type TransferDetails = Pick<TransferDraft, 'direction' | 'amount' | 'phone'>;

/** `CLIENT-<timestamp>-<random>`: the name under which the server takes a transfer once, however often it is sent. */
export function createClientTransactionId(nowMs = Date.now()): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `CLIENT-${nowMs}-${Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('')}`;
}

export function emptyDraft(direction: TransferDraft['direction']): TransferDraft {
  return { direction, amount: '', phone: '', clientTransactionId: createClientTransactionId() };
}

/** Whether nothing was entered yet. */
export function isEmpty({ amount, phone }: TransferDraft): boolean {
  return amount === '' && phone === '';
}

/**
 * Other details after an unanswered attempt are another transfer: it takes another id. So does what is entered into an
 * empty draft, since a duplicated tab has the same one.
 */
export function changeDetails(draft: TransferDraft, changes: Partial<TransferDetails>): TransferDraft {
  const { attempt, ...rest } = draft;
  const isSame = Object.entries(changes).every(([key, value]) => draft[key as keyof TransferDetails] === value);
  if (isSame) return draft;
  const clientTransactionId = attempt || isEmpty(draft) ? createClientTransactionId() : draft.clientTransactionId;
  return { ...rest, ...changes, clientTransactionId };
}

export function withAttempt(draft: TransferDraft, price: Price, now: Date): TransferDraft {
  const attempt = draft.attempt ? { ...draft.attempt, isRepeat: true } : { price, timestamp: now.toISOString() };
  return { ...draft, attempt };
}

/**
 * What a failed call says of the transfer. `refused`: nothing was kept, the id is still free. `ended`: the id is used
 * up. `unknown`: it may have been taken, so only the very same request may follow under this id.
 */
export type FailureKind = 'refused' | 'ended' | 'unknown';

/** The server refused before it kept anything: the same transfer may go again, at a new price. */
export function withoutAttempt(draft: TransferDraft): TransferDraft {
  const { attempt: _, ...rest } = draft;
  return rest;
}

/** The id has been used up by an outcome: what is sent next is a new transfer. */
export function withNewId(draft: TransferDraft): TransferDraft {
  return { ...withoutAttempt(draft), clientTransactionId: createClientTransactionId() };
}

/** A refusal of the sender (a wrong PIN, an ended session, too many requests) comes before the details are looked at. */
function isOfSender(error: ApiError): boolean {
  return [401, 403, 429].includes(error.status);
}

/** Whether the server looked at the details and will not take them, however often it is asked. */
export function isOfDetails(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && !isOfSender(error);
}

/** What a failed attempt leaves of the draft. A refusal of the sender says nothing of an earlier, unanswered attempt. */
export function draftAfter(kind: FailureKind, error: unknown, draft: TransferDraft): TransferDraft {
  if (kind === 'unknown') return draft;
  if (kind === 'ended') return withNewId(draft);
  const hasLookedAtIt = !(error instanceof ApiError && isOfSender(error));
  return hasLookedAtIt || !draft.attempt?.isRepeat ? withoutAttempt(draft) : draft;
}

const STORAGE_PREFIX = 'vuka.transfer-draft.';

/** The draft that this tab kept for this user. The PIN is never part of it. */
export function loadDraft(userId: string): TransferDraft | undefined {
  const parsed = z.safeParse(Draft, parseJson(sessionStorage.getItem(STORAGE_PREFIX + userId) ?? ''));
  return parsed.success ? parsed.data : undefined;
}

export function saveDraft(userId: string, draft: TransferDraft): void {
  sessionStorage.setItem(STORAGE_PREFIX + userId, JSON.stringify(draft));
}
