import type { PayoutState } from '#db/states.ts';
import type { PayoutFailure, PayoutRequest } from '../payout-provider.ts';

export type PawapayProduct = 'payout' | 'remittance';

/** The two products differ in their paths and the name of the id, and in little else. */
export const PRODUCTS = {
  payout: { path: '/v2/payouts', idField: 'payoutId' },
  remittance: { path: '/v2/remittances', idField: 'remittanceId' },
} as const;

/**
 * Default networks by prefix, longest prefix first. Numbers can be ported, so the provider makes the final decision.
 */
const NETWORKS: readonly [prefix: RegExp, network: string][] = [
  [/^255(72|74|75|76|79)/, 'VODACOM_TZA'],
  [/^255(65|67|70|71|77)/, 'TIGO_TZA'],
  [/^255(66|68|69|78)/, 'AIRTEL_TZA'],
  [/^255(61|62|63)/, 'HALOTEL_TZA'],
  [/^255/, 'VODACOM_TZA'],
  // The only Kenyan network that pawaPay reaches. It refuses other networks' numbers, and the money is returned.
  [/^254/, 'MPESA_KEN'],
];

/** The network that a number most likely belongs to. */
export function networkOf(msisdn: string): string {
  return NETWORKS.find(([prefix]) => prefix.test(msisdn))?.[1] ?? 'MPESA_KEN';
}

/**
 * Formats an amount so that every network accepts it: no zero fraction, since some networks accept only whole units. A
 * nonzero fraction is kept, so that a network that cannot pay it refuses it.
 */
export function toProviderAmount(amount: string): string {
  return amount.replace(/\.0+$/, '');
}

export function initiationBody(product: PawapayProduct, request: PayoutRequest): string {
  const { remittance } = request;
  return JSON.stringify({
    [PRODUCTS[product].idField]: request.clientPayoutId,
    amount: toProviderAmount(request.amount),
    currency: request.currency,
    recipient: {
      type: 'MMO',
      accountDetails: { phoneNumber: request.msisdn, provider: networkOf(request.msisdn) },
      ...(product === 'remittance' && remittance ? { recipientDetails: remittance.recipient } : {}),
    },
    ...(product === 'remittance' && remittance
      ? {
          sender: {
            transactionDetails: { transactionReference: request.transferId, ...remittance.transaction },
            senderDetails: remittance.sender,
          },
        }
      : {}),
    customerMessage: customerMessage(request.transferId),
    clientReferenceId: request.transferId,
    metadata: [{ transferId: request.transferId }],
  });
}

/** 4 to 22 letters, digits and spaces. */
function customerMessage(transferId: string): string {
  return `Vuka ${transferId.replace(/[^a-z0-9]/gi, '').slice(-12)}`;
}

const STATES: Readonly<Record<string, PayoutState>> = {
  ACCEPTED: 'accepted',
  ENQUEUED: 'enqueued',
  PROCESSING: 'processing',
  SUBMITTED: 'processing',
  IN_RECONCILIATION: 'reconciling',
  COMPLETED: 'completed',
  FAILED: 'failed',
};

const FAILURES: Readonly<Record<string, PayoutFailure['class']>> = {
  NO_AUTHENTICATION: 'config',
  AUTHENTICATION_ERROR: 'config',
  AUTHORISATION_ERROR: 'config',
  HTTP_SIGNATURE_ERROR: 'config',
  PAYOUTS_NOT_ALLOWED: 'config',
  REMITTANCES_NOT_ALLOWED: 'config',
  INVALID_INPUT: 'validation',
  MISSING_PARAMETER: 'validation',
  UNSUPPORTED_PARAMETER: 'validation',
  INVALID_PARAMETER: 'validation',
  DUPLICATE_METADATA_FIELD: 'validation',
  AMOUNT_OUT_OF_BOUNDS: 'validation',
  INVALID_AMOUNT: 'validation',
  INVALID_PHONE_NUMBER: 'validation',
  INVALID_CURRENCY: 'validation',
  INVALID_PROVIDER: 'validation',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'provider_down',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'float',
  RECIPIENT_NOT_FOUND: 'recipient',
  RECIPIENT_LIMIT_REACHED: 'limit',
  WALLET_LIMIT_REACHED: 'limit',
  MANUALLY_CANCELLED: 'cancelled',
  UNSPECIFIED_FAILURE: 'unspecified',
  UNKNOWN_ERROR: 'unspecified',
};

/** Names from version 1, still used in some examples of version 2. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  RECIPIENT_NOT_ALLOWED_TO_RECEIVE: 'WALLET_LIMIT_REACHED',
  OTHER_ERROR: 'UNSPECIFIED_FAILURE',
};

/** The failure that a code means; undefined for an undocumented code, which proves nothing. */
export function failureOf(givenCode: string): PayoutFailure | undefined {
  const code = Object.hasOwn(OLD_NAMES, givenCode) ? OLD_NAMES[givenCode] : givenCode;
  if (code === undefined || !Object.hasOwn(FAILURES, code)) return undefined;
  const failureClass = FAILURES[code];
  return failureClass && { code, class: failureClass };
}

/** The state for a status. An unknown status, or a failure with an unknown code, leaves the outcome unresolved. */
export function stateOf(status: string, failureCode?: string): { state: PayoutState; failure?: PayoutFailure } {
  const state = Object.hasOwn(STATES, status) ? (STATES[status] ?? 'unknown') : 'unknown';
  if (state !== 'failed') return { state };
  const failure = failureOf(failureCode ?? 'UNSPECIFIED_FAILURE');
  return failure ? { state, failure } : { state: 'unknown' };
}
