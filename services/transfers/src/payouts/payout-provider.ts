import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { WalletCurrency } from '@vuka/money/corridors';
import type { PayoutState } from '#db/states.ts';

export interface PayoutFailure {
  code: string;
  /** Decides which reason the sender reads, and whether the transfer waits for the operator instead of failing. */
  class: 'recipient' | 'limit' | 'float' | 'provider_down' | 'config' | 'validation' | 'cancelled' | 'unspecified';
}

export interface PayoutRequest {
  /** UUID v4, stored before the first call; every repeat uses it again. */
  clientPayoutId: string;
  /** A decimal string with two places. */
  amount: string;
  currency: WalletCurrency;
  /** E.164 digits without the plus. */
  msisdn: string;
  transferId: string;
  /** Personal details that a cross-border product requires; a provider refuses a remittance without them. */
  remittance?: RemittanceDetails;
}

/** Sender, recipient and purpose, in the provider's own format. Personal data: masked in every record. */
interface RemittanceDetails {
  recipient: { firstName: string; lastName: string };
  sender: Record<string, unknown>;
  transaction: Record<string, string>;
}

/**
 * `rejected` is definitive for this request: it moved no money, but another request with the same id may have.
 * `ambiguous`: money may have moved; with an `unknownFailure`, the request was refused with a code that proves nothing.
 * `duplicate`: ask for the status. `not_sent`: no byte of the request left.
 */
export type SubmitResult =
  | { kind: 'accepted'; state: PayoutState; providerReference?: string }
  | { kind: 'duplicate' }
  | { kind: 'rejected'; failure: PayoutFailure }
  | { kind: 'ambiguous'; reason: string; unknownFailure?: string }
  | { kind: 'not_sent'; reason: string };

/** A provider's report of a payout; its figures are compared with ours before it has any effect. */
export interface PayoutReport {
  clientPayoutId: string;
  state: PayoutState;
  providerReference?: string;
  amount?: string;
  currency?: string;
  msisdn?: string;
  failure?: PayoutFailure;
  /** The undocumented code of a reported failure; its state is `unknown`, because the code proves nothing. */
  unknownFailure?: string;
}

export type StatusResult =
  | { kind: 'found'; report: PayoutReport }
  | { kind: 'not_found' }
  | { kind: 'ambiguous'; reason: string };

/** A payment on a provider's statement. */
export interface StatementLine {
  clientPayoutId: string;
  /** Minor units. */
  amountMinor: bigint;
  currency: string;
  /** E.164 digits without the plus. */
  msisdn: string;
  recordedAt: Date;
}

/** At most 31 days; `from` is inclusive, `to` exclusive. */
export interface StatementPeriod {
  from: Date;
  to: Date;
}

/** The payments that the reader of a statement needs: only these may stay in memory. */
export interface StatementNeeds {
  isNeeded: (line: StatementLine) => boolean;
  /** The most payments that there is memory for, of all wallets together. */
  most: number;
}

/**
 * `too_many`: more than `most` payments are needed. `unavailable`: it is unknown what was paid in the period. Never
 * treat either as an empty statement.
 */
export type StatementResult =
  | { kind: 'lines'; lines: StatementLine[] }
  | { kind: 'too_many' }
  | { kind: 'unavailable'; reason: string };

/** What is left of the operator's money with the provider, by currency, in minor units; reserved amounts are taken off. */
export type BalancesResult =
  | { kind: 'balances'; balances: ReadonlyMap<string, bigint> }
  | { kind: 'unavailable'; reason: string };

/** A provider's HTTP request to us, as it arrived. */
export interface CallbackRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  rawBody: Buffer;
}

/** Unless `isTrusted`, anyone may have sent the reports: they are a hint to ask the provider, and nothing else. */
export type CallbackResult =
  | { ok: true; isTrusted: boolean; reports: PayoutReport[]; answer: { status: number; body?: unknown } }
  | { ok: false; reason: string; answer: { status: number; body?: unknown } };

/** A call or callback with its secrets masked, for the integration log. */
export type ProviderCall = Omit<IntegrationLog, 'id' | 'transactionId' | 'moneyTransferId' | 'timestamp'>;
export type RecordCall = (call: ProviderCall) => void;

/** A provider of mobile-money payouts. Adapters never throw: an unclear result is `ambiguous`. */
export interface PayoutProvider {
  readonly id: string;
  /** The exact body that `submit` will send, so that it can be stored before the call. */
  prepare(request: PayoutRequest): string;
  /**
   * Sends the stored body. Repeating it under the same id pays at most once. `isTooLate` is called right before the
   * first byte would be written; if it returns true, nothing is sent.
   */
  submit(clientPayoutId: string, body: string, record: RecordCall, isTooLate?: () => boolean): Promise<SubmitResult>;
  status(clientPayoutId: string, record: RecordCall): Promise<StatusResult>;
  /** The failure that a stored code of this provider means; undefined for an unknown code. */
  readFailure(code: string): PayoutFailure | undefined;
  /** Verifies a callback over its raw bytes, then parses it. */
  readCallback(callback: CallbackRequest, record: RecordCall): Promise<CallbackResult>;
  /** Every needed payment of a period. Stops reading once there are too many. May take minutes. */
  statement(period: StatementPeriod, needs: StatementNeeds, record: RecordCall): Promise<StatementResult>;
  /** Not recorded as a call: it concerns no payout, and its result is stored by the comparison. */
  balances(): Promise<BalancesResult>;
  /** Sends nothing more. Calls without an answer soon are aborted; their outcome is unresolved. */
  close(): Promise<void>;
}
