import { FIELD_RULES } from './field-rules.ts';
import type { Refusal } from './refusal.ts';

/** Refusals that merchants can see. */
export const REFUSALS = {
  not_signed_in: { code: 'unauthenticated', text: 'Please sign in.' },
  invalid_credentials: {
    code: 'invalid_credentials',
    text: 'Invalid credentials. Please check your username and PIN.',
  },
  invalid_pin: { code: 'invalid_pin', text: 'Invalid PIN' },
  pin_guessable: { code: 'validation_failed', text: 'PIN is too easy to guess. Please choose another.' },
  pin_locked: {
    code: 'too_many_attempts',
    text: 'Too many wrong PINs. Please try again in {minutes} {minutes|minute|minutes}.',
  },
  account_blocked: { code: 'account_blocked', text: 'Your account is blocked. Please contact support.' },
  email_taken: { code: 'email_taken', text: 'An account with this email already exists.' },
  recipients_full: { code: 'validation_failed', text: 'You can save at most {max} recipients' },
  codes_too_many: { code: 'rate_limited', text: 'Too many codes were requested. Please wait and try again.' },
  code_wrong: { code: 'validation_failed', text: 'This code is not right.' },
  code_expired: { code: 'validation_failed', text: 'This code has expired. Please request a new one.' },
  phone_not_reachable: { code: 'validation_failed', text: 'Your phone number cannot receive codes.' },
  phone_of_blocked_account: {
    code: 'validation_failed',
    text: 'This number belongs to an account that is blocked. Please contact support.',
  },
  verified_already: { code: 'already_decided', text: 'This is verified already.' },
  account_has_money: {
    code: 'account_not_empty',
    text: 'There is still money in this account. Send or withdraw it first.',
  },
  account_has_transfers: {
    code: 'account_not_empty',
    text: 'A transfer of this account has not ended yet. Please try again when it has.',
  },
  account_awaits_credit: {
    code: 'account_not_empty',
    text: 'A credit to this account is not booked yet. Please try again when it is.',
  },
  account_of_administrator: {
    code: 'forbidden',
    text: 'The account of an administrator cannot be closed here.',
  },
  session_ended: { code: 'not_found', text: 'This session has ended already.' },
  insufficient_funds: { code: 'insufficient_funds', text: FIELD_RULES.insufficient_funds },
  limit_per_transaction: {
    code: 'limit_exceeded',
    text: 'This is above your limit of {limit} {currency} per transaction.',
  },
  limit_per_day: {
    code: 'limit_exceeded',
    text: 'This is above your daily limit. You can still send {left} {currency} today.',
  },
  limit_per_month: {
    code: 'limit_exceeded',
    text: 'This is above your monthly limit. You can still send {left} {currency} this month.',
  },
  amount_too_small: { code: 'validation_failed', text: 'The amount is too small to send.' },
  rate_changed: {
    code: 'rate_changed',
    text: 'The exchange rate has changed. Please confirm the new amount.',
  },
  transfer_fee_changed: { code: 'rate_changed', text: 'The fee has changed. Please confirm the new one.' },
  rate_unavailable: { code: 'rate_unavailable', text: 'No exchange rate has been set yet.' },
  transaction_not_found: { code: 'not_found', text: 'Transaction not found' },
  account_not_found: { code: 'not_found', text: 'Linked account not found' },
  account_linked_already: { code: 'already_linked', text: 'This account is linked already.' },
  accounts_full: {
    code: 'validation_failed',
    text: 'You can link at most {max} accounts. Remove one that you do not use.',
  },
  account_currency_mismatch: { code: 'validation_failed', text: 'This account is in {currency}' },
  withdrawal_fee_changed: { code: 'fee_changed', text: 'The fee has changed. Please confirm the new one.' },
  rate_limited: {
    code: 'rate_limited',
    text: 'Too many requests. Please wait a moment and try again.',
  },
  text_unreadable: { code: 'validation_failed', text: 'The request has characters that are not text.' },
  unavailable: {
    code: 'unavailable',
    text: 'The service is temporarily unavailable. Please try again shortly.',
  },
  overloaded: {
    code: 'unavailable',
    text: 'We are very busy at the moment. Please try again in a few seconds.',
  },
  internal_error: { code: 'internal_error', text: 'Something went wrong on our side. Please try again.' },
} as const satisfies Record<string, Refusal>;
