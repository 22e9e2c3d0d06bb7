import { i18n } from '#shared/i18n/i18n.ts';

export const AUDIT_WORDS = i18n('admin/audit-words', {
  'deposit.made': 'Made a deposit',
  'deposit.made-alone': 'Made a large deposit as the only administrator',
  'deposit.requested': 'Requested a large deposit',
  'deposit.approved': 'Approved a large deposit',
  'deposit.refused': 'Refused a large deposit',
  'merchant.credited': 'Credited a merchant',
  'merchant.credited-alone': 'Made a large credit as the only administrator',
  'credit.requested': 'Requested a large credit',
  'credit.approved': 'Approved a large credit',
  'credit.refused': 'Refused a large credit',
  'withdrawal.approved': 'Approved a withdrawal',
  'withdrawal.refused': 'Refused a withdrawal',
  'withdrawal.paid': 'Marked a withdrawal as paid',
  'withdrawal.not-paid': 'Marked a withdrawal as failed',
  'fee.added': 'Added a fee',
  'fee.removed': 'Removed a fee',
  'rates.updated': 'Changed the rates',
  'rates.updated-alone': 'Made a large rate change as the only administrator',
  'rates.proposed': 'Proposed rates',
  'rates.approved': 'Approved proposed rates',
  'rates.refused': 'Refused proposed rates',
  'user.blocked': 'Blocked an account',
  'user.unblocked': 'Unblocked an account',
  'user.unlocked': 'Unlocked an account',
  'administrator.blocked': 'Blocked an administrator',
  'administrator.unblocked': 'Unblocked an administrator',
  'administrator.unlock-requested': 'Requested the unlock of an administrator',
  'administrator.unlocked': 'Unlocked an administrator',
  'user.pin-changed': 'Changed their PIN',
  'api-key.issued': 'Issued an API key',
  'api-key.revoked': 'Revoked an API key',
  'settings.system-changed': 'Changed the system settings',
  'settings.limits-raised-alone': 'Raised an approval limit as the only administrator',
  'settings.limits-proposed': 'Proposed higher approval limits',
  'settings.limits-approved': 'Approved higher approval limits',
  'settings.limits-refused': 'Refused higher approval limits',
  'settings.notification-changed': 'Changed the notification settings',
  'transfer.retried': 'Retried a transaction',
  'transfer.inquired': 'Asked the provider about a transaction',
  'reconciliation.requested': 'Requested a reconciliation',
  'exception.taken': 'Took on an exception of a payout',
  'exception.resolved': 'Resolved an exception of a payout',
  'exception.paid': 'Confirmed that a payout was made',
  'exception.not-paid': 'Confirmed that a payout was not made',
  'logs.generated': 'Generated test logs',
  'dead-message.requeued': 'Sent a dead message again',
  'dead-message.dropped': 'Dropped a dead message',
  'dead-message.not-moved': 'Failed to move a dead message',
  'failure.switched-on': 'Switched a failure on',
  'failure.switched-off': 'Switched a failure off',
  'failure.all-switched-off': 'Switched all failures off',
  'failure.not-switched': 'Failed to switch a failure',
});

type Words = ReturnType<typeof AUDIT_WORDS.get>;

export const ACTIONS = Object.keys(AUDIT_WORDS.get()) as (keyof Words)[];

/** An action in words; one that this version does not know is shown by its code. */
export function actionText(words: Words, action: string): string {
  return (words as Record<string, string>)[action] ?? action;
}
