import { expect, test } from 'vitest';
import type { PayoutRequest } from '../payout-provider.ts';
import { failureOf, initiationBody, providerOf, stateOf, toProviderAmount } from './pawapay.domain.ts';
import { readInitiation, readStatus } from './pawapay-answers.ts';

const id = '8917c345-4791-4285-a416-62f24b6982db';
const answer = (status: number, json: unknown) => ({ status, json, text: '' });
const rejected = (code: string) => ({ payoutId: id, status: 'REJECTED', failureReason: { failureCode: code } });
const failed = (code: string) => ({
  status: 'FOUND',
  data: { payoutId: id, status: 'FAILED', amount: '10', failureReason: { failureCode: code } },
});

test.each([
  [401, 'NO_AUTHENTICATION', 'config'],
  [403, 'AUTHENTICATION_ERROR', 'config'],
  [403, 'AUTHORISATION_ERROR', 'config'],
  [403, 'HTTP_SIGNATURE_ERROR', 'config'],
  [403, 'PAYOUTS_NOT_ALLOWED', 'config'],
  [403, 'REMITTANCES_NOT_ALLOWED', 'config'],
  [400, 'INVALID_INPUT', 'validation'],
  [400, 'MISSING_PARAMETER', 'validation'],
  [400, 'UNSUPPORTED_PARAMETER', 'validation'],
  [400, 'INVALID_PARAMETER', 'validation'],
  [400, 'DUPLICATE_METADATA_FIELD', 'validation'],
] as const)(
  'HTTP %i %s refuses one request (%s) and proves nothing about an earlier one',
  (status, code, failureClass) => {
    expect(readInitiation(id, answer(status, { failureReason: { failureCode: code } }))).toEqual({
      kind: 'rejected',
      failure: { code, class: failureClass },
    });
  },
);

test.each([
  ['AMOUNT_OUT_OF_BOUNDS', 'validation'],
  ['INVALID_AMOUNT', 'validation'],
  ['INVALID_PHONE_NUMBER', 'validation'],
  ['INVALID_CURRENCY', 'validation'],
  ['INVALID_PROVIDER', 'validation'],
  ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'provider_down'],
  ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'float'],
] as const)('REJECTED %s refuses one request (%s)', (code, failureClass) => {
  expect(readInitiation(id, answer(200, rejected(code)))).toEqual({
    kind: 'rejected',
    failure: { code, class: failureClass },
  });
  const old = { payoutId: id, status: 'REJECTED', rejectionReason: { rejectionCode: code } };
  expect(readInitiation(id, answer(200, old))).toMatchObject({ kind: 'rejected', failure: { code } });
});

test.each([
  ['RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'recipient'],
  ['RECIPIENT_LIMIT_REACHED', 'RECIPIENT_LIMIT_REACHED', 'limit'],
  ['WALLET_LIMIT_REACHED', 'WALLET_LIMIT_REACHED', 'limit'],
  ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'PAWAPAY_WALLET_OUT_OF_FUNDS', 'float'],
  ['MANUALLY_CANCELLED', 'MANUALLY_CANCELLED', 'cancelled'],
  ['UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'unspecified'],
  ['UNKNOWN_ERROR', 'UNKNOWN_ERROR', 'unspecified'],
  ['RECIPIENT_NOT_ALLOWED_TO_RECEIVE', 'WALLET_LIMIT_REACHED', 'limit'],
  ['OTHER_ERROR', 'UNSPECIFIED_FAILURE', 'unspecified'],
])('FAILED %s is a failure %s of class %s', (given, code, failureClass) => {
  expect(readStatus(id, answer(200, failed(given)))).toMatchObject({
    kind: 'found',
    report: { clientPayoutId: id, state: 'failed', failure: { code, class: failureClass } },
  });
});

test.each([
  ['ACCEPTED', 'accepted'],
  ['ENQUEUED', 'enqueued'],
  ['PROCESSING', 'processing'],
  ['SUBMITTED', 'processing'],
  ['IN_RECONCILIATION', 'reconciling'],
  ['COMPLETED', 'completed'],
  ['FAILED', 'failed'],
  ['TELEPORTED', 'unknown'],
  ['constructor', 'unknown'],
])('status %s is the state %s', (status, state) => {
  expect(stateOf(status).state).toBe(state);
});

test.each<[string, number, unknown]>([
  ['an unknown code of a rejection', 200, rejected('LUNAR_ECLIPSE')],
  ['an unknown code of a refusal', 400, { failureReason: { failureCode: 'LUNAR_ECLIPSE' } }],
  ['an unknown status', 200, { payoutId: id, status: 'TELEPORTED' }],
  ['an acceptance of another payout', 200, { payoutId: id.replace('8', '9'), status: 'ACCEPTED' }],
  ['an acceptance that names no payout', 200, { status: 'ACCEPTED' }],
  ['an internal error', 500, { failureReason: { failureCode: 'UNKNOWN_ERROR' } }],
  ['a refusal for no known reason', 400, { failureReason: { failureCode: 'UNKNOWN_ERROR' } }],
  ['too many requests', 429, {}],
  ['a page', 503, undefined],
  ['a page with status 200', 200, undefined],
])('%s is ambiguous', (_what, status, json) => {
  expect(readInitiation(id, answer(status, json)).kind).toBe('ambiguous');
});

test.each<[string, number, unknown, string | undefined]>([
  ['a rejection with an unknown code', 200, rejected('LUNAR_ECLIPSE'), 'LUNAR_ECLIPSE'],
  ['a refusal with an unknown code', 400, { failureReason: { failureCode: 'LUNAR_ECLIPSE' } }, 'LUNAR_ECLIPSE'],
  ['a very long code', 403, { failureReason: { failureCode: 'X'.repeat(500) } }, 'X'.repeat(100)],
  ['a rejection without a code', 200, { payoutId: id, status: 'REJECTED' }, 'answered 200'],
  [
    'a refusal for no known reason',
    400,
    { failureReason: { failureCode: 'UNKNOWN_ERROR' } },
    'answered 400 UNKNOWN_ERROR',
  ],
  ['an unknown status', 200, { payoutId: id, status: 'TELEPORTED' }, undefined],
  ['an internal error', 500, { failureReason: { failureCode: 'LUNAR_ECLIPSE' } }, undefined],
  ['a page', 403, undefined, undefined],
])('%s keeps what the provider said, if it refused', (_what, status, json, said) => {
  const result = readInitiation(id, answer(status, json));
  expect(result.kind === 'ambiguous' && result.unknownFailure).toBe(said);
  expect(failureOf(said ?? '')).toBeUndefined();
});

test('a failure with an unknown code leaves the outcome unresolved', () => {
  expect(readStatus(id, answer(200, failed('LUNAR_ECLIPSE')))).toMatchObject({
    report: { state: 'unknown', unknownFailure: 'LUNAR_ECLIPSE' },
  });
  expect(readStatus(id, answer(200, failed('RECIPIENT_NOT_FOUND')))).not.toHaveProperty('report.unknownFailure');
  expect(failureOf('toString')).toBeUndefined();
});

test.each<[string, number, unknown]>([
  ['not 200', 404, { status: 'NOT_FOUND' }],
  ['a page', 200, undefined],
  ['another payout', 200, { status: 'FOUND', data: { payoutId: id.replace('8', '9'), status: 'FAILED' } }],
])('an inquiry answered with %s proves nothing', (_what, status, json) => {
  expect(readStatus(id, answer(status, json)).kind).toBe('ambiguous');
});

test('a duplicate needs an inquiry, and an unknown payout is not found', () => {
  expect(readInitiation(id, answer(200, { payoutId: id, status: 'DUPLICATE_IGNORED' }))).toEqual({ kind: 'duplicate' });
  expect(readStatus(id, answer(200, { status: 'NOT_FOUND' }))).toEqual({ kind: 'not_found' });
});

const request: PayoutRequest = {
  clientPayoutId: id,
  amount: '15000.00',
  currency: 'TZS',
  msisdn: '255763456789',
  transferId: '0190a000-0000-7000-8000-000000000001',
};

test('a payout’s body has exactly these bytes', () => {
  expect(initiationBody('payout', request)).toBe(
    `{"payoutId":"${id}","amount":"15000","currency":"TZS",` +
      '"recipient":{"type":"MMO","accountDetails":{"phoneNumber":"255763456789","provider":"VODACOM_TZA"}},' +
      '"customerMessage":"Vuka 000000000001","clientReferenceId":"0190a000-0000-7000-8000-000000000001",' +
      '"metadata":[{"transferId":"0190a000-0000-7000-8000-000000000001"}]}',
  );
});

test('a remittance includes sender and recipient details', () => {
  const body = JSON.parse(
    initiationBody('remittance', {
      ...request,
      remittance: {
        recipient: { firstName: 'Juma', lastName: 'Ali' },
        sender: { firstName: 'Asha' },
        transaction: { purposeOfFunds: 'FAMILY_SUPPORT' },
      },
    }),
  );
  expect(body).toMatchObject({
    remittanceId: id,
    recipient: { recipientDetails: { firstName: 'Juma', lastName: 'Ali' } },
    sender: {
      transactionDetails: { transactionReference: request.transferId, purposeOfFunds: 'FAMILY_SUPPORT' },
      senderDetails: { firstName: 'Asha' },
    },
  });
});

test.each([
  ['15000.00', '15000'],
  ['15000.50', '15000.50'],
  ['100.00', '100'],
  ['0.50', '0.50'],
])('%s is sent as %s', (amount, sent) => {
  expect(toProviderAmount(amount)).toBe(sent);
});

test.each([
  ['254712345678', 'MPESA_KEN'],
  ['254733345678', 'MPESA_KEN'],
  ['255742345678', 'VODACOM_TZA'],
  ['255712345678', 'TIGO_TZA'],
  ['255682345678', 'AIRTEL_TZA'],
  ['255622345678', 'HALOTEL_TZA'],
  ['255732345678', 'VODACOM_TZA'],
])('%s is routed to %s', (msisdn, network) => {
  expect(providerOf(msisdn)).toBe(network);
});
