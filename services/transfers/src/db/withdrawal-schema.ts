import type { LinkedAccountType } from '@vuka/contracts/http/linked-accounts';
import type { WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import type { WalletCurrency } from '@vuka/money/corridors';
import type { ColumnType, Generated } from 'kysely';

interface LinkedAccountsTable {
  id: string;
  user_id: string;
  merchant_id: string | null;
  account_type: LinkedAccountType;
  account_name: string;
  is_active: Generated<boolean>;
  /** At most one per user and currency. */
  is_default: boolean;
  currency: WalletCurrency;
  created_at: Date;
  updated_at: Date;
}

interface MobileMoneyAccountsTable {
  linked_account_id: string;
  phone_number: string;
  carrier: string;
  country_code: string;
}

interface BankAccountsTable {
  linked_account_id: string;
  bank_name: string;
  account_number: string;
  branch_code: string | null;
  swift_code: string | null;
}

/** How the payer identifies a linked account. */
interface PaymentRecipientsTable {
  linked_account_id: string;
  /** The payout provider, or `bank`: paid by hand. */
  provider_name: string;
  recipient_code: string;
  recipient_type: LinkedAccountType;
  currency: WalletCurrency;
  is_active: Generated<boolean>;
  metadata: Generated<Record<string, unknown>>;
  last_used: Date | null;
}

interface WithdrawalsTable {
  transaction_id: string;
  user_id: string;
  /** The owner's name at the time of the request. */
  owner_name: string;
  merchant_id: string | null;
  linked_account_id: string;
  description: string;
  status: WithdrawalStatus;
  amount: bigint;
  currency: WalletCurrency;
  recipient_account: string;
  recipient_name: string;
  requires_approval: boolean;
  approved_by: string | null;
  approved_at: Date | null;
  /** The administrator who is paying it by hand. */
  paying_by: Generated<string | null>;
  paying_name: Generated<string | null>;
  paying_since: Generated<Date | null>;
  /** Another administrator was paying it before. */
  was_taken_over: Generated<boolean>;
  /** The administrator who refused it, or recorded the result of paying by hand. */
  closed_by: string | null;
  closed_at: Date | null;
  provider_id: string | null;
  provider_reference_id: string | null;
  /** True if a bank's reference completed it, which then completes no other in its currency. */
  has_own_reference: Generated<boolean | null>;
  provider_status: string | null;
  provider_response_data: ColumnType<unknown, string | null, string | null>;
  provider_timestamp: Date | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * The amounts, in minor units, above which withdrawals need approval: our copy of the system settings. Each currency
 * has a column.
 */
type WithdrawalLimitsTable = Record<Lowercase<WalletCurrency>, bigint> & {
  id: Generated<number>;
  changed_at: Date;
};

export interface WithdrawalSchema {
  linked_accounts: LinkedAccountsTable;
  mobile_money_accounts: MobileMoneyAccountsTable;
  bank_accounts: BankAccountsTable;
  payment_recipients: PaymentRecipientsTable;
  withdrawals: WithdrawalsTable;
  withdrawal_limits: WithdrawalLimitsTable;
}
