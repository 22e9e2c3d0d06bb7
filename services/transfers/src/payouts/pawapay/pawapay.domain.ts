import { MOBILE } from '@vuka/money/mobile-networks';
import { networkOf } from '@vuka/money/networks';
import { splitPhone } from '@vuka/money/phones';
import type { PayoutState } from '#db/states.ts';
import type { PayoutFailure, PayoutReport, PayoutRequest } from '../payout-provider.ts';

export type PawapayProduct = 'payout' | 'remittance';

/** The two products differ in their paths and the name of the id, and in little else. */
export const PRODUCTS = {
  payout: { path: '/v2/payouts', idField: 'payoutId' },
  remittance: { path: '/v2/remittances', idField: 'remittanceId' },
} as const;

/** The first network of each country that pawaPay reaches, for numbers of networks that it does not reach. */
const DEFAULTS = Object.fromEntries(
  Object.entries(MOBILE).map(([country, { networks }]) => [country, networks.find(({ pawapay }) => pawapay)?.pawapay]),
);

/**
 * pawaPay's id of the network that a number most likely belongs to. Numbers can be ported, so pawaPay makes the final
 * decision. It refuses a number of a network that it does not reach, and the money is returned.
 */
export function providerOf(msisdn: string): string {
  const network = networkOf(msisdn)?.pawapay ?? DEFAULTS[splitPhone(msisdn)?.country ?? ''];
  return network?.id ?? '';
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
      accountDetails: { phoneNumber: request.msisdn, provider: providerOf(request.msisdn) },
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

/** Enough of an undocumented code to ask pawaPay about it. */
export const MAX_CODE = 100;

/** The state for a status. An unknown status, or a failure with an unknown code, leaves the outcome unresolved. */
export function stateOf(
  status: string,
  failureCode?: string,
): Pick<PayoutReport, 'state' | 'failure' | 'unknownFailure'> {
  const state = Object.hasOwn(STATES, status) ? (STATES[status] ?? 'unknown') : 'unknown';
  if (state !== 'failed') return { state };
  const code = failureCode ?? 'UNSPECIFIED_FAILURE';
  const failure = failureOf(code);
  return failure ? { state, failure } : { state: 'unknown', unknownFailure: code.slice(0, MAX_CODE) };
}
