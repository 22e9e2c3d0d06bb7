import type { Refusal } from './refusal.ts';

/** Refusals that only administrators can see. */
export const ADMIN_REFUSALS = {
  not_an_administrator: { code: 'forbidden', text: 'Only administrators may do this.' },
  role_changed_alone: {
    code: 'pin_required',
    text: 'No other owner can approve this change. Please confirm it with your PIN.',
  },
  limits_raised: {
    code: 'pin_required',
    text: 'This raises a limit. Please confirm it with your PIN.',
  },
  pin_not_recent: { code: 'step_up_required', text: 'Please enter your PIN to confirm that it is you.' },
  administrator_unknown: { code: 'not_found', text: 'Administrator not found' },
  role_not_allowed: { code: 'forbidden', text: 'Your role does not allow this. An owner can change it.' },
  role_of_last_owner: { code: 'forbidden', text: 'The last active owner keeps the role.' },
  block_of_last_owner: { code: 'forbidden', text: 'The last active owner cannot be blocked.' },
  factor_missing: { code: 'forbidden', text: 'Please add a second factor to your account first.' },
  factor_pending: { code: 'forbidden', text: 'Please finish signing in with your second factor.' },
  factor_not_recent: {
    code: 'step_up_required',
    text: 'Please confirm with your passkey or authenticator app that it is you.',
  },
  factor_wrong: { code: 'invalid_factor', text: 'This passkey or code is not right.' },
  factor_code_used: { code: 'invalid_factor', text: 'This code was used already. Please wait for the next one.' },
  factor_challenge_expired: { code: 'invalid_factor', text: 'This took too long. Please try again.' },
  factor_locked: {
    code: 'too_many_attempts',
    text: 'Too many wrong codes. Please try again in {minutes} {minutes|minute|minutes}.',
  },
  factor_not_found: { code: 'not_found', text: 'Second factor not found' },
  factor_last: { code: 'forbidden', text: 'Administrators need a second factor. Add another one first.' },
  factors_full: { code: 'validation_failed', text: 'You can have at most {max} second factors. Remove one first.' },
  passkey_known: { code: 'already_linked', text: 'This passkey is added already.' },
  passkeys_need_a_name: {
    code: 'forbidden',
    text: 'Passkeys do not work on this address. Open this page at {address}, or use an authenticator app.',
  },
  merchant_not_found: { code: 'not_found', text: 'Merchant not found' },
  block_of_self: { code: 'forbidden', text: 'You cannot block your own account.' },
  block_of_last_administrator: { code: 'forbidden', text: 'The last active administrator cannot be blocked.' },
  unlock_of_self: { code: 'forbidden', text: 'You cannot unlock your own account.' },
  unlocks_too_many: {
    code: 'forbidden',
    text: 'This account was unlocked {max} times within a day. Its owner can choose a new PIN on the sign-in page, or wait.',
  },
  unlock_on_server_only: {
    code: 'forbidden',
    text: 'Two other owners must unlock an administrator, and there are not two. On the server, run: npm run admin:unlock -- --email {email}',
  },
  api_key_not_found: { code: 'not_found', text: 'API key not found' },
  api_keys_full: {
    code: 'validation_failed',
    text: 'There are {max} API keys already. Revoke one first.',
  },
  deposit_key_reused: {
    code: 'idempotency_conflict',
    text: 'This Idempotency-Key was used for a different deposit.',
  },
  deposit_recorded: {
    code: 'unavailable',
    text: 'The request is recorded and will be completed as soon as the ledger answers. Please do not enter it again.',
  },
  deposit_above_daily_limit: {
    code: 'pin_required',
    text: "This exceeds one administrator's daily limit. Please confirm it with your PIN.",
  },
  deposit_of_own_request: {
    code: 'forbidden',
    text: 'You requested this deposit. Another administrator must decide.',
  },
  deposit_decided: { code: 'already_decided', text: 'This deposit has been decided already.' },
  adjustment_not_found: { code: 'not_found', text: 'Adjustment not found' },
  adjustment_key_reused: {
    code: 'idempotency_conflict',
    text: 'This Idempotency-Key was used for a different adjustment.',
  },
  adjustment_of_own_request: {
    code: 'forbidden',
    text: 'You requested this adjustment. Another administrator must decide.',
  },
  adjustment_decided: { code: 'already_decided', text: 'This adjustment has been decided already.' },
  requester_lost_right: {
    code: 'forbidden',
    text: 'The administrator who requested this is blocked, or may not request it any more. Refuse it, or request it yourself.',
  },
  credit_not_found: { code: 'not_found', text: 'Credit not found' },
  credit_of_own_request: {
    code: 'forbidden',
    text: 'You requested this credit. Another administrator must decide.',
  },
  credit_to_own_account: {
    code: 'forbidden',
    text: 'This credit is for your own account. Another administrator must decide.',
  },
  credit_to_closed_account: { code: 'not_found', text: 'This account was closed. No money has moved.' },
  credit_decided: { code: 'already_decided', text: 'This credit has been decided already.' },
  proposal_not_found: { code: 'not_found', text: 'Proposal not found' },
  proposal_of_own: {
    code: 'forbidden',
    text: 'You proposed this change. Another administrator must decide.',
  },
  proposal_decided: { code: 'already_decided', text: 'This proposal has been decided already.' },
  proposal_expired: { code: 'already_decided', text: 'This proposal has expired.' },
  proposal_superseded: { code: 'already_decided', text: 'This proposal was replaced by a newer change.' },
  changed_meanwhile: {
    code: 'changed_meanwhile',
    text: 'Another administrator has changed this meanwhile. Check the new values and save again.',
  },
  rate_change_large: {
    code: 'pin_required',
    text: 'This changes the rate by more than half. Please confirm it with your PIN.',
  },
  approval_limit_raised: {
    code: 'pin_required',
    text: 'This raises an approval limit. Please confirm it with your PIN.',
  },
  fee_not_found: { code: 'not_found', text: 'Fee not found' },
  fee_overlap: {
    code: 'validation_failed',
    text: 'This overlaps the fee from {from} to {to}. Remove that one first, or choose other amounts.',
  },
  fee_overlap_unlimited: {
    code: 'validation_failed',
    text: 'This overlaps the fee from {from} upwards. Remove that one first, or choose other amounts.',
  },
  withdrawal_not_found: { code: 'not_found', text: 'Withdrawal not found' },
  withdrawal_of_own: {
    code: 'forbidden',
    text: 'This is your own withdrawal. Another administrator must decide.',
  },
  withdrawal_of_blocked_account: {
    code: 'forbidden',
    text: 'This merchant is blocked. Unblock the account first, or return the money to the merchant.',
  },
  withdrawal_not_reserved: {
    code: 'unavailable',
    text: 'The money for this withdrawal is not reserved yet. Please try again in a moment.',
  },
  withdrawal_not_approved: { code: 'already_decided', text: 'This withdrawal must be approved first.' },
  withdrawal_decided: { code: 'already_decided', text: 'This withdrawal has been decided already.' },
  withdrawal_not_payable: { code: 'already_decided', text: 'This withdrawal is not to be paid by hand now.' },
  withdrawal_not_taken: {
    code: 'already_decided',
    text: 'Press “I am paying this” first, so that no other administrator pays it too.',
  },
  withdrawal_paid_by_other: {
    code: 'already_decided',
    text: '{name} is paying this withdrawal. Look for it on the bank statement before you take it over.',
  },
  withdrawal_taken_recently: {
    code: 'already_decided',
    text: '{name} began to pay this withdrawal less than {hours} {hours|hour|hours} ago: the bank statement may not show it yet. Until then, only they can record the outcome.',
  },
  withdrawal_may_be_paid: {
    code: 'already_decided',
    text: 'This withdrawal may have been paid already. Compare it with the bank statement first.',
  },
  withdrawal_reference_used: {
    code: 'already_decided',
    text: 'This bank reference already completed withdrawal {id}. Look on the bank statement for the payment of this one. If the bank paid both at once, add /2 to the reference.',
  },
  withdrawal_sent: {
    code: 'already_decided',
    text: 'The provider already has a payout of this withdrawal. Approve it: it is not paid a second time.',
  },
  withdrawal_unclear: {
    code: 'already_decided',
    text: 'The provider does not say yet whether it paid this withdrawal. Try again in a quarter of an hour.',
  },
  withdrawal_waits: {
    code: 'not_retryable',
    text: 'This withdrawal waits for an administrator’s decision.',
  },
  transaction_ended: {
    code: 'not_retryable',
    text: 'This transaction is {status} and cannot be retried.',
  },
  payout_not_found: { code: 'not_found', text: 'This transaction has no provider payout.' },
  reconciliation_not_found: { code: 'not_found', text: 'Reconciliation not found' },
  reconciliation_running: { code: 'already_decided', text: 'A reconciliation is already running' },
  reconciliation_too_early: { code: 'validation_failed', text: 'The day has not begun yet' },
  reconciliation_too_late: { code: 'validation_failed', text: 'Statements reach {days} days back' },
  exception_not_found: { code: 'not_found', text: 'Exception not found' },
  exception_taken: {
    code: 'already_decided',
    text: '{name} is working on this exception. Ask before you take it over.',
  },
  exception_resolved: { code: 'already_decided', text: 'This exception is already resolved' },
  exception_outcome_missing: {
    code: 'validation_failed',
    text: 'A transfer waits for this exception. State whether the recipient was paid.',
  },
  exception_transfer_ended: {
    code: 'already_decided',
    text: 'The transfer of this exception has ended already.',
  },
  exception_outdated: {
    code: 'changed_meanwhile',
    text: 'The provider has reported something newer about this payout. Read it before you decide.',
  },
  exception_of_own_transfer: {
    code: 'forbidden',
    text: 'This is your own transfer. Another administrator must decide.',
  },
  log_not_found: { code: 'not_found', text: 'Log not found' },
  queue_not_found: { code: 'not_found', text: 'Queue not found' },
  queue_keeps_no_dead: { code: 'not_found', text: 'This queue keeps no dead messages.' },
  dead_message_not_found: {
    code: 'not_found',
    text: 'This message is not in the dead-letter queue any more.',
  },
  redrive_running: { code: 'already_decided', text: 'Messages of this queue are being sent again already.' },
  failure_lab_not_found: { code: 'not_found', text: 'There is no failure lab here' },
  failure_scenario_not_found: { code: 'not_found', text: 'There is no such scenario' },
} as const satisfies Record<string, Refusal>;
