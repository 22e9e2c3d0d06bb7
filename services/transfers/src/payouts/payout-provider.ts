import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { PayoutState } from '#db/states.ts';

export interface PayoutFailure {
  code: string;
  /** Decides what the sender is told, and whether the transfer waits for the operator instead of failing. */
  class: 'recipient' | 'limit' | 'float' | 'provider_down' | 'config' | 'validation' | 'cancelled' | 'unspecified';
}

export interface PayoutRequest {
  /** UUID v4, stored before the first call; every repeat carries the same one. */
  clientPayoutId: string;
  /** A decimal string with two places. */
  amount: string;
  currency: 'KES' | 'TZS';
  /** E.164 digits without the plus. */
  msisdn: string;
  /** Our reference, for statements. */
  transferId: string;
  /** What a cross-border product must be told of the people; a provider refuses a remittance without it. */
  remittance?: RemittanceDetails;
}

/** Who sends, who receives and why, in the provider's own words for it. Personal data: masked in every record. */
interface RemittanceDetails {
  recipient: { firstName: string; lastName: string };
  sender: Record<string, unknown>;
  transaction: Record<string, string>;
}

/**
 * `rejected` is definitive: this request moved no money, which says nothing of another with its id. `ambiguous`: money
 * may have moved. `duplicate`: ask for the status. `not_sent`: no byte of the request left.
 */
export type SubmitResult =
  | { kind: 'accepted'; state: PayoutState; providerReference?: string }
  | { kind: 'duplicate' }
  | { kind: 'rejected'; failure: PayoutFailure }
  | { kind: 'ambiguous'; reason: string }
  | { kind: 'not_sent'; reason: string };

/** What a provider says of a payout; the figures are compared with ours before anything follows from it. */
export interface PayoutReport {
  clientPayoutId: string;
  state: PayoutState;
  providerReference?: string;
  amount?: string;
  currency?: string;
  msisdn?: string;
  failure?: PayoutFailure;
}

export type StatusResult =
  | { kind: 'found'; report: PayoutReport }
  | { kind: 'not_found' }
  | { kind: 'ambiguous'; reason: string };

/** Money that a provider paid out, as its statement has it. */
export interface StatementLine {
  clientPayoutId: string;
  /** Minor units. */
  amountMinor: bigint;
  currency: string;
  /** E.164 digits without the plus. */
  msisdn: string;
  recordedAt: Date;
}

/** At most 31 days, from the start until just before the end. */
export interface StatementPeriod {
  from: Date;
  to: Date;
}

/** `unavailable`: nobody knows what was paid in the period; never read as nothing. */
export type StatementResult = { kind: 'lines'; lines: StatementLine[] } | { kind: 'unavailable'; reason: string };

/** A provider's HTTP request to us, as it arrived. */
export interface CallbackRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  rawBody: Buffer;
}

export type CallbackResult =
  | { ok: true; reports: PayoutReport[]; answer: { status: number; body?: unknown } }
  | { ok: false; reason: string; answer: { status: number; body?: unknown } };

/** A call or callback, secrets masked, on its way to the integration log. */
export type ProviderCall = Omit<IntegrationLog, 'id' | 'transactionId' | 'moneyTransferId' | 'timestamp'>;
export type RecordCall = (call: ProviderCall) => void;

/** What Vuka asks of a provider of mobile-money payouts. Adapters never throw: what they cannot tell is `ambiguous`. */
export interface PayoutProvider {
  readonly id: string;
  /** The exact body that `submit` will send, so that it can be stored before the call. */
  prepare(request: PayoutRequest): string;
  /** Sends the stored body. A repeat with the same id pays at most once. */
  submit(clientPayoutId: string, body: string, record: RecordCall): Promise<SubmitResult>;
  status(clientPayoutId: string, record: RecordCall): Promise<StatusResult>;
  /** What a failure code of this provider's means; undefined for one that is not known. */
  readFailure(code: string): PayoutFailure | undefined;
  /** Verifies a callback over its raw bytes and reads it. */
  readCallback(callback: CallbackRequest, record: RecordCall): Promise<CallbackResult>;
  /** Every payment of a period. May take minutes. */
  statement(period: StatementPeriod, record: RecordCall): Promise<StatementResult>;
  /** Sends nothing more. Calls that get no answer soon are given up: open questions. */
  close(): Promise<void>;
}
