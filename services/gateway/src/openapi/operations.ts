import type { ErrorCode } from '@vuka/contracts/error-codes';
import { JUST_ORDERED, NOT_ANSWERED, OF_MERCHANT, OF_PASSKEY } from './sample-values.ts';

/** What the description of the API says of a call besides its schemas. */
export interface Operation {
  /** Its name in generated clients: never changes. */
  id: string;
  /** Its own refusals, besides those that follow from its method, path, body and guard. */
  refusals?: readonly ErrorCode[];
  /** For a route that has no summary of its own. */
  summary?: string;
  description?: string;
  /** The meaning of each success status; if omitted, a standard description. */
  answers?: Readonly<Record<number, string>>;
  /** Samples of fields where those of `OF_FIELDS` do not suit this call; undefined leaves the field out. */
  samples?: Readonly<Record<string, unknown>>;
}

const op = (id: string, refusals: readonly ErrorCode[] = [], more: Omit<Operation, 'id' | 'refusals'> = {}) => ({
  id,
  refusals,
  ...more,
});

const SIGN_IN = ['invalid_credentials', 'account_blocked', 'too_many_attempts'] as const;
const PRICED = ['rate_changed', 'rate_unavailable', 'insufficient_funds', 'limit_exceeded'] as const;
const FACTOR = ['invalid_factor', 'too_many_attempts'] as const;

const CREATE_TRANSFER =
  '`clientTransactionId` makes the order one transfer, however often it is sent: repeat it unchanged until an answer ' +
  'arrives. 201: this request was the first. 200: the transfer was there already. A refused hold other than for lack ' +
  'of money is also 201, with the status FAILED. `quoteId` and `fee` are optional. Without `quoteId` the current rate ' +
  'applies; a `targetAmount` that differs from the price is refused with rate_changed, which carries the new `quote`. ' +
  'If `fee` is given, it has to be the current fee. A user may send thirty requests a minute; more are refused with ' +
  'rate_limited (429) and `Retry-After`. Requests are in camelCase; `transaction` in the answer is in snake_case.';
const WITHDRAW =
  '`clientTransactionId` makes it one withdrawal, however often it is sent. 201: this request was the first. 200: the ' +
  'withdrawal was there already.';
const ONCE = { 200: 'The same, which an earlier request made', 201: 'Made by this request' };
const WAITS = { 202: 'It waits for another administrator' };

/** Every call of the public API, by its method and its path with `:names`. A route without a row is refused at start. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/about': op('getAbout'),
  'POST /api/login': op('signIn', SIGN_IN, { samples: OF_MERCHANT }),
  'POST /api/register': op('register', ['email_taken'], { samples: OF_MERCHANT }),
  'POST /api/logout': op('signOut'),
  'GET /api/user': op('getUser', [], { samples: OF_MERCHANT }),
  'PATCH /api/profile': op('changeProfile', [], { samples: OF_MERCHANT }),
  'POST /api/change-pin': op('changePin', [
    'invalid_pin',
    'account_blocked',
    'too_many_attempts',
    'idempotency_conflict',
  ]),
  'GET /api/sessions': op('listSessions'),
  'POST /api/sessions/end-others': op('endOtherSessions'),
  'POST /api/sessions/:id/end': op('endSession'),
  'GET /api/verification': op('getVerification'),
  'POST /api/verification/:channel/send': op('sendVerificationCode', ['already_decided']),
  'POST /api/verification/:channel/confirm': op('confirmVerificationCode', ['already_decided']),
  'POST /api/pin-reset': op('requestPinReset', [], { samples: { code: '135790' } }),
  'POST /api/pin-reset/confirm': op('confirmPinReset'),
  'POST /api/account/close-code': op('sendClosingCode'),
  'POST /api/account/close': op('closeAccount', ['account_not_empty']),
  'POST /api/account/export': op('exportAccount'),
  'GET /api/balances': op('getBalances'),
  'GET /api/rates/days': op('getRateDays'),
  'GET /api/rates': op('getRates', ['rate_unavailable']),
  'POST /api/quotes': op('createQuote', ['rate_unavailable', 'idempotency_conflict']),
  'GET /api/limits': op('getLimits'),
  'POST /api/transactions/create': op('createTransfer', ['idempotency_conflict', ...PRICED], {
    description: CREATE_TRANSFER,
    answers: ONCE,
    samples: JUST_ORDERED,
  }),
  'GET /api/transactions': op('listTransfers'),
  'GET /api/transactions/:id': op('getTransfer'),
  'GET /api/transactions/:id/timeline': op('getTimeline'),
  'GET /api/transactions/:id/verification': op('getReceiptCode'),
  'GET /api/verify/:code': op('verifyReceipt'),
  'GET /api/statement': op('getStatement'),
  'GET /api/statement/this-month': op('getMonthTotals'),
  'GET /api/statement.csv': op('downloadStatement'),
  'GET /api/recipients': op('listRecipients'),
  'GET /api/recipients/:phone/holder': op('getRecipientHolder'),
  'PUT /api/recipients/:phone': op('saveRecipient'),
  'DELETE /api/recipients/:phone': op('deleteRecipient'),
  'GET /api/linked-accounts': op('listLinkedAccounts'),
  'POST /api/linked-accounts': op('linkAccount', ['already_linked', 'idempotency_conflict']),
  'PATCH /api/linked-accounts/:id': op('changeLinkedAccount'),
  'DELETE /api/linked-accounts/:id': op('removeLinkedAccount'),
  'GET /api/withdrawals/price': op('getWithdrawalPrice'),
  'POST /api/withdrawals': op(
    'withdraw',
    ['idempotency_conflict', 'fee_changed', 'insufficient_funds', 'limit_exceeded'],
    {
      description: WITHDRAW,
      answers: ONCE,
    },
  ),
  'GET /api/withdrawals': op('listWithdrawals'),
  'GET /api/events': op('streamOwnEvents'),
  'GET /api/feed/transfers': op('streamTransferEvents'),

  'GET /api/admin/overview': op('getOverview'),
  'GET /api/admin/administrators': op('listAdministrators'),
  'POST /api/admin/administrators/:id/role': op('changeRole', ['pin_required'], { answers: WAITS }),
  'POST /api/admin/role-proposals/:id/approve': op('approveRole', ['already_decided']),
  'POST /api/admin/role-proposals/:id/refuse': op('refuseRole', ['already_decided']),
  'POST /api/admin/step-up': op('stepUp', [...FACTOR, 'account_blocked'], {
    samples: { ...OF_PASSKEY, code: undefined, pin: undefined },
  }),
  'POST /api/admin/change-pin': op(
    'changeAdminPin',
    ['invalid_pin', 'account_blocked', 'too_many_attempts', 'idempotency_conflict'],
    {
      summary: "Change the administrator's own PIN; every other session ends",
    },
  ),
  'GET /api/admin/second-factors': op('listSecondFactors'),
  'POST /api/admin/second-factors/challenge': op('beginPasskey'),
  'POST /api/admin/second-factors/passkey/begin': op('beginNewPasskey'),
  'POST /api/admin/second-factors/passkey': op('addPasskey', [...FACTOR, 'already_linked'], {
    samples: { ...OF_PASSKEY, name: 'Phone' },
  }),
  'POST /api/admin/second-factors/totp/begin': op('beginAuthenticatorApp'),
  'POST /api/admin/second-factors/totp': op('addAuthenticatorApp', FACTOR),
  'POST /api/admin/second-factors/:id/remove': op('removeSecondFactor'),
  'GET /api/admin/deposits': op('listDeposits', [], { summary: 'Deposits of administrators, newest first' }),
  'POST /api/admin/deposit': op('makeDeposit', ['idempotency_conflict'], { answers: WAITS }),
  'POST /api/admin/credit-balance': op('creditMerchant', ['idempotency_conflict'], { answers: WAITS }),
  'GET /api/admin/credits': op('listLargeCredits'),
  'GET /api/admin/credits/recent': op('listRecentCredits'),
  'POST /api/admin/credits/:id/approve': op('approveCredit', ['already_decided', 'idempotency_conflict']),
  'POST /api/admin/credits/:id/refuse': op('refuseCredit', ['already_decided']),
  'GET /api/admin/adjustments': op('listAdjustments'),
  'POST /api/admin/adjustments': op('requestAdjustment', ['idempotency_conflict'], { answers: WAITS }),
  'POST /api/admin/adjustments/:id/approve': op('approveAdjustment', ['already_decided']),
  'POST /api/admin/adjustments/:id/refuse': op('refuseAdjustment', ['already_decided']),
  'GET /api/rates/history': op('listRates', [], { summary: 'Earlier rates, newest first' }),
  'POST /api/rates/update': op('setRates', ['pin_required', 'changed_meanwhile'], { answers: WAITS }),
  'GET /api/admin/rate-proposals': op('listRateProposals'),
  'POST /api/admin/rate-proposals/:id/approve': op('approveRates', ['already_decided']),
  'POST /api/admin/rate-proposals/:id/refuse': op('refuseRates', ['already_decided']),
  'GET /api/admin/fees': op('listFees', [], { summary: 'The fee bands' }),
  'POST /api/admin/fees': op('addFee', ['idempotency_conflict'], { summary: 'Add a fee band' }),
  'POST /api/admin/fees/:id/remove': op('removeFee', [], { summary: 'Remove a fee band' }),
  'GET /api/admin/limits': op('listTierLimits', [], { summary: 'The limits of every tier' }),
  'POST /api/admin/limits': op('setTierLimits', ['pin_required', 'changed_meanwhile'], { answers: WAITS }),
  'GET /api/admin/tier-limit-proposals': op('listTierLimitProposals'),
  'POST /api/admin/tier-limit-proposals/:id/approve': op('approveTierLimits', ['already_decided']),
  'POST /api/admin/tier-limit-proposals/:id/refuse': op('refuseTierLimits', ['already_decided']),
  'GET /api/admin/limit-proposals': op('listApprovalLimitProposals'),
  'POST /api/admin/limit-proposals/:id/approve': op('approveApprovalLimits', ['already_decided']),
  'POST /api/admin/limit-proposals/:id/refuse': op('refuseApprovalLimits', ['already_decided']),
  'GET /api/admin/merchants': op('listMerchants'),
  'GET /api/admin/merchants/:id': op('getMerchant'),
  'GET /api/admin/merchants/:id/limits': op('getMerchantLimits'),
  'POST /api/admin/merchants/:id/business': op('setBusinessTier'),
  'POST /api/admin/merchants/:id/toggle-block': op('blockMerchant'),
  'POST /api/admin/merchants/:id/unlock': op('unlockMerchant', [], { answers: WAITS }),
  'POST /api/admin/merchants/:id/close': op('closeMerchant', ['account_not_empty']),
  'POST /api/admin/merchants/:id/export': op('exportMerchant'),
  'GET /api/admin/withdrawals': op('listAllWithdrawals', [], { summary: 'Withdrawals of one status, page by page' }),
  'POST /api/admin/withdrawals/:id/take': op('takeWithdrawal', ['already_decided']),
  'POST /api/admin/withdrawals/:id/approve': op('approveWithdrawal', ['already_decided'], {
    summary: 'Approve a withdrawal',
  }),
  'POST /api/admin/withdrawals/:id/refuse': op('refuseWithdrawal', ['already_decided'], {
    summary: 'Refuse a withdrawal; the money is returned',
  }),
  'POST /api/admin/withdrawals/:id/fail': op('failWithdrawal', ['already_decided'], {
    summary: 'Report that a bank withdrawal was not paid; the money is returned',
  }),
  'POST /api/admin/withdrawals/:id/complete': op('completeWithdrawal', ['already_decided'], {
    summary: 'Report that a bank withdrawal was paid',
  }),
  'GET /api/admin/reconciliation': op('getReconciliation'),
  'POST /api/admin/reconciliation/runs': op('reconcileDay', ['already_decided']),
  'POST /api/admin/reconciliation/exceptions/:id/take': op('takeException', ['already_decided']),
  'POST /api/admin/reconciliation/exceptions/:id/resolve': op('resolveException', [
    'already_decided',
    'changed_meanwhile',
  ]),
  'GET /api/admin/ledger/audit': op('auditLedger', [], {
    summary: 'The invariants of the ledger, and whether they hold',
    samples: { id: 'I1' },
  }),
  'GET /api/admin/stuck-transactions': op('listStuckTransfers', [], {
    summary: 'Stuck transfers',
    samples: NOT_ANSWERED,
  }),
  'GET /api/admin/transactions': op('listTransfersTo', [], {
    description:
      'The number is given whole: with the calling code of its country, with or without a plus, or as it is dialled ' +
      'within a country; then it is searched for in every country.',
  }),
  'POST /api/admin/transactions/:id/retry': op('retryTransfer', ['not_retryable'], {
    summary: 'Continue a stuck transfer; cannot pay twice',
    answers: { 202: 'The command is stored and will be carried out' },
    samples: NOT_ANSWERED,
  }),
  'GET /api/admin/transactions/:id/recovery': op('getRecovery', [], { samples: NOT_ANSWERED }),
  'POST /api/admin/transactions/:id/recovery/inquire': op('inquirePayout'),
  'GET /api/admin/notifications': op('listNotifications', [], { summary: 'Notifications, newest first' }),
  'GET /api/admin/notification-settings': op('getNotificationSettings', [], {
    summary: 'Which notifications are sent',
  }),
  'POST /api/admin/notification-settings': op('setNotificationSettings', ['changed_meanwhile'], {
    summary: 'Choose which notifications are sent',
  }),
  'GET /api/admin/system-settings': op('getSystemSettings', [], { summary: 'The system settings' }),
  'POST /api/admin/system-settings': op('setSystemSettings', ['pin_required', 'changed_meanwhile'], { answers: WAITS }),
  'GET /api/admin/api-keys': op('listApiKeys'),
  'POST /api/admin/api-keys': op('issueApiKey', ['idempotency_conflict']),
  'POST /api/admin/api-keys/:id/revoke': op('revokeApiKey', [], { samples: { revokedAt: '2026-11-24T09:30:00.000Z' } }),
  'GET /api/admin/audit-trail': op('listActions'),
  'GET /api/integration-logs/recent': op('listProviderCalls', [], {
    summary: 'Calls to and from the provider, newest first',
  }),
  'GET /api/integration-logs/log/:id': op('getProviderCall', [], { summary: 'One call to or from the provider' }),
  'GET /api/admin/queues': op('listQueues'),
  'GET /api/admin/queues/:name/dead': op('listDeadMessages', [], { summary: 'The dead messages of a queue' }),
  'GET /api/admin/queues/:name/dead/matching': op('countDeadMessages'),
  'POST /api/admin/queues/:name/dead/redrive': op('redriveDeadMessages', ['already_decided'], {
    answers: { 202: 'The redrive has begun' },
  }),
  'POST /api/admin/queues/:name/dead/:id/requeue': op('requeueDeadMessage', [], {
    summary: 'Send a dead message again',
  }),
  'POST /api/admin/queues/:name/dead/:id/drop': op('dropDeadMessage', [], { summary: 'Drop a dead message' }),
  'GET /api/admin/redrives': op('listRedrives'),
  'GET /api/admin/failure-lab': op('getFailureLab'),
  'POST /api/admin/failure-lab/off': op('switchOffFailures'),
  'POST /api/admin/failure-lab/:scenario/on': op('switchOnFailure'),
  'POST /api/admin/failure-lab/:scenario/off': op('switchOffFailure'),
};
