import type { Fee } from '@vuka/contracts/http/fees';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import type { AdminWithdrawal, CreateWithdrawal } from '@vuka/contracts/http/withdrawals';
import { fixedId } from './fixtures.ts';

export const AT = '2026-01-10T09:00:00.000Z';

const linkedAccounts: LinkedAccount[] = [
  {
    id: fixedId(7001),
    accountType: 'mobile_money',
    accountName: 'Amina Wanjiru',
    currency: 'KES',
    isDefault: true,
    createdAt: AT,
    lastUsedAt: null,
    mobileMoney: { phoneNumber: '+254712345678', carrier: 'M-PESA', countryCode: 'KE' },
    bank: null,
  },
  {
    id: fixedId(7002),
    accountType: 'bank',
    accountName: 'Wanjiru General Stores',
    currency: 'KES',
    isDefault: false,
    createdAt: AT,
    lastUsedAt: AT,
    mobileMoney: null,
    bank: { bankName: 'Equity Bank', accountNumber: '0123456789', branchCode: '068', swiftCode: 'EQBLKENA' },
  },
];

export const waiting: AdminWithdrawal = {
  id: fixedId(7101),
  createdAt: AT,
  updatedAt: AT,
  status: 'awaiting_approval',
  statusReason: null,
  amount: '250000.00',
  currency: 'KES',
  fee: '50.00',
  accountType: 'mobile_money',
  recipientAccount: '+254712345678',
  recipientName: 'Amina Wanjiru',
  bankName: null,
  requiresApproval: true,
  providerReference: null,
  merchantName: 'Amina Wanjiru',
  merchantId: 'AMIN4821WKES',
  merchantUserId: fixedId(1),
  branchCode: null,
  swiftCode: null,
  accountLinkedAt: AT,
  paidBefore: 3,
  askedInDay: '90000.00',
  isToBePaidByHand: false,
  mayBePaid: false,
  canBeTaken: true,
  isOwn: false,
  payingName: null,
  payingSince: null,
  isPaidByCaller: false,
  approvedBy: null,
  approvedAt: null,
  closedBy: null,
  closedAt: null,
};

const adminWithdrawals: AdminWithdrawal[] = [
  waiting,
  { ...waiting, id: fixedId(7102), isOwn: true, merchantName: 'Zuri Admin', merchantId: null, merchantUserId: null },
  {
    ...waiting,
    id: fixedId(7103),
    status: 'pending',
    accountType: 'bank',
    recipientAccount: '0123456789',
    recipientName: 'Wanjiru General Stores',
    bankName: 'Equity Bank',
    branchCode: '068',
    swiftCode: 'EQBLKENA',
    isToBePaidByHand: true,
    approvedBy: 'ADM2',
    approvedAt: AT,
  },
];

/** After a restore or a failover. */
export const mayBePaid: AdminWithdrawal = {
  ...waiting,
  id: fixedId(7104),
  accountType: 'bank',
  recipientAccount: '0123456789',
  recipientName: 'Wanjiru General Stores',
  bankName: 'Equity Bank',
  status: 'pending',
  isToBePaidByHand: true,
  mayBePaid: true,
  payingName: 'Neema Mushi',
  payingSince: AT,
};

const fees: Fee[] = [
  {
    id: '1',
    transactionType: 'withdrawal',
    currency: 'KES',
    minAmount: '0.00',
    maxAmount: '100000.00',
    fixedFee: '30.00',
    percentageFee: '0',
    updatedByName: 'Zuri Admin',
  },
];

/** The mock server's state of withdrawals. */
export interface WithdrawalWorld {
  linkedAccounts: LinkedAccount[];
  withdrawalFee: string;
  /** Every body received by `POST /api/withdrawals`. */
  withdrawalsReceived: CreateWithdrawal[];
  adminWithdrawals: AdminWithdrawal[];
  decisions: { id: string; kind: string; body: unknown }[];
  fees: Fee[];
}

export const withdrawalWorld: WithdrawalWorld = {
  linkedAccounts,
  withdrawalFee: '30.00',
  withdrawalsReceived: [],
  adminWithdrawals,
  decisions: [],
  fees,
};
