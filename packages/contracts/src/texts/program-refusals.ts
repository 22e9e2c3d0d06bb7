import type { Refusal } from './refusal.ts';

/** Refusals that only programs and command lines can see: the web app sends no such request. */
export const PROGRAM_REFUSALS = {
  request_too_large: { code: 'payload_too_large', text: 'The request is too large.' },
  request_unreadable: { code: 'validation_failed', text: 'The request could not be read.' },
  request_not_json: {
    code: 'validation_failed',
    text: 'The request could not be read. Send JSON as application/json.',
  },
  request_invalid: { code: 'validation_failed', text: 'Invalid request' },
  address_unreadable: { code: 'validation_failed', text: 'The address could not be read.' },
  address_unknown: { code: 'not_found', text: 'There is nothing at this address.' },
  origin_foreign: { code: 'forbidden', text: 'This request comes from another site.' },
  not_a_service: { code: 'forbidden', text: 'Only services of this system may ask this.' },
  api_key_missing: { code: 'unauthenticated', text: 'An API key is needed: send Authorization: Bearer <key>.' },
  api_key_unknown: {
    code: 'unauthenticated',
    text: 'This API key is wrong or revoked. An administrator can issue another.',
  },
  session_missing: {
    code: 'unauthenticated',
    text: 'This call needs a session: sign in with POST /api/login. An API key opens only the transfer feed.',
  },
  pages_full: { code: 'rate_limited', text: 'Too many pages are open at once.' },
  streams_full: { code: 'rate_limited', text: 'Too many streams are open at once.' },
  callback_unreadable: { code: 'validation_failed', text: 'This callback could not be read.' },
  callback_unsigned: { code: 'unauthenticated', text: 'The signature of this callback is not valid.' },
  transfer_id_reused: {
    code: 'idempotency_conflict',
    text: 'This clientTransactionId was used for a different transfer.',
  },
  deposit_order_reused: { code: 'idempotency_conflict', text: 'This key was used for a different deposit.' },
  key_reused: { code: 'idempotency_conflict', text: 'This Idempotency-Key was used for a different request.' },
  limit_missing: {
    code: 'validation_failed',
    text: 'More than {most} merchants match: give a limit, and follow the links to the next pages.',
  },
  network_not_found: { code: 'not_found', text: 'There is no such network' },
  administrator_not_found: { code: 'not_found', text: 'No administrator has the email {email}.' },
  administrator_pin_invalid: {
    code: 'validation_failed',
    text: 'The PIN must be four digits, and not one that is guessed first.',
  },
} as const satisfies Record<string, Refusal>;
