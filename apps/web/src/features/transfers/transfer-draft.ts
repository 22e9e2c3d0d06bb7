import { DIRECTIONS } from '@vuka/money/directions';
import * as z from 'zod/mini';
import { ApiError, parseJson } from '#shared/api-client.ts';

const Price = z.object({
  /** Whole units, or a decimal string from a server quote. */
  targetAmount: z.string(),
  rate: z.number(),
  fee: z.optional(z.string()),
  quoteId: z.optional(z.string()),
  /** By this device's clock. Set if the server holds the rate. */
  heldUntilMs: z.optional(z.number()),
});
export type Price = z.infer<typeof Price>;

/** The fee that the user agreed to on top. If no fee was shown, that is zero. */
export function feeOf(price: Price): string {
  return price.fee ?? '0.00';
}

const DETAILS = {
  direction: z.enum(DIRECTIONS),
  /** Digits of a whole amount in the source currency. */
  amount: z.string(),
  /** The recipient's local digits, without the prefix. */
  phone: z.string(),
  clientTransactionId: z.string(),
};
const Attempt = z.object({ price: Price, timestamp: z.string(), isRepeat: z.optional(z.boolean()) });
const Draft = z.object({
  ...DETAILS,
  /** A request that was sent without an answer. A repeat must be identical, so that the server recognises it. */
  attempt: z.optional(Attempt),
  /** Earlier transfers without an answer, whose details were then changed. */
  unanswered: z.optional(z.array(z.object({ ...DETAILS, attempt: Attempt }))),
});
export type TransferDraft = z.infer<typeof Draft>;
/** A draft whose transfer was sent. */
export type SentDraft = TransferDraft & { attempt: z.infer<typeof Attempt> };
export type TransferDetails = Pick<TransferDraft, 'direction' | 'amount' | 'phone'>;

/** `CLIENT-<timestamp>-<random>`: the id under which the server accepts a transfer once, however often it is sent. */
export function createClientTransactionId(nowMs = Date.now()): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `CLIENT-${nowMs}-${Array.from(random, (part) => part.toString(36).padStart(7, '0')).join('')}`;
}

export function emptyDraft(
  direction: TransferDraft['direction'],
  unanswered?: TransferDraft['unanswered'],
): TransferDraft {
  return { direction, amount: '', phone: '', clientTransactionId: createClientTransactionId(), unanswered };
}

/** Whether the user has not entered anything yet. */
export function isEmpty({ amount, phone }: TransferDraft): boolean {
  return amount === '' && phone === '';
}

/**
 * Different details after an unanswered attempt are a different transfer and take a new id. So do details entered into
 * an empty draft, because a duplicated tab has the same draft. The details of an unanswered attempt take its id again:
 * otherwise a change that is undone would send the transfer twice.
 */
export function changeDetails(draft: TransferDraft, changes: Partial<TransferDetails>): TransferDraft {
  const { attempt, unanswered = [], ...rest } = draft;
  const next = { ...rest, ...changes };
  const isNext = ({ direction, amount, phone }: TransferDetails): boolean =>
    direction === next.direction && amount === next.amount && phone === next.phone;
  if (isNext(draft)) return draft;
  const sent = attempt ? [...unanswered, { ...rest, attempt }] : unanswered;
  const again = sent.find(isNext);
  if (again) return { ...again, unanswered: sent.filter((each) => each !== again) };
  if (attempt || isEmpty(draft)) next.clientTransactionId = createClientTransactionId();
  return { ...next, unanswered: sent };
}

/** The draft without an earlier transfer that has its outcome; undefined if it keeps none under this id. */
export function forgetUnanswered(draft: TransferDraft, clientTransactionId: string): TransferDraft | undefined {
  const { unanswered = [] } = draft;
  const others = unanswered.filter((sent) => sent.clientTransactionId !== clientTransactionId);
  return others.length < unanswered.length ? { ...draft, unanswered: others } : undefined;
}

/**
 * The price of an attempt does not expire: the server recognises a repeat of the same request at any later price. Nor
 * does the attempt: forgetting one that was accepted would pay twice, and the repeat of one says that it is a repeat.
 */
export function withAttempt(draft: TransferDraft, price: Price, now: Date): SentDraft {
  const { heldUntilMs: _, ...agreed } = price;
  const attempt = draft.attempt
    ? { ...draft.attempt, isRepeat: true }
    : { price: agreed, timestamp: now.toISOString() };
  return { ...draft, attempt };
}

/**
 * A refusal of the sender (a wrong PIN, an ended session, too many requests), which precedes any check of the details.
 */
export function isOfSender(error: ApiError): boolean {
  return [401, 403, 429].includes(error.status);
}

/** Whether the server checked the details and will never accept them. A 404 is no check: the call itself is missing. */
export function isOfDetails(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 404 && !isOfSender(error);
}

const STORAGE_PREFIX = 'vuka.transfer-draft.';

/** The draft that this tab stored for this user. It never contains the PIN. */
export function loadDraft(userId: string): TransferDraft | undefined {
  const parsed = z.safeParse(Draft, parseJson(sessionStorage.getItem(STORAGE_PREFIX + userId) ?? ''));
  return parsed.success ? parsed.data : undefined;
}

export function saveDraft(userId: string, draft: TransferDraft): void {
  sessionStorage.setItem(STORAGE_PREFIX + userId, JSON.stringify(draft));
}
