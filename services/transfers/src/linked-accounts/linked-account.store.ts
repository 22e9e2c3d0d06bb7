import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { AppError } from '@vuka/service-kit/app-error';
import type { Db } from '#db/schema.ts';

type AccountRow = Awaited<ReturnType<typeof findRows>>[number];

/** A user's active accounts: defaults first, then by age. */
export async function listLinkedAccounts(db: Db, userId: string): Promise<LinkedAccount[]> {
  return (await findRows(db, userId)).map(toLinkedAccount);
}

/** Also the accounts that were paid and that the user has removed; in all, the active and the newest removed ones. */
export async function listAllLinkedAccounts(db: Db, userId: string, limit: number): Promise<LinkedAccount[]> {
  const rows = await findAccounts(db, userId)
    .orderBy('account.is_active', 'desc')
    .orderBy('account.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toLinkedAccount);
}

/** One active account of a user. Throws not_found, also for another user's account. */
export async function getLinkedAccount(db: Db, userId: string, id: string): Promise<LinkedAccount> {
  const row = (await findRows(db, userId)).find((account) => account.id === id);
  if (!row) throw accountNotFound();
  return toLinkedAccount(row);
}

export function accountNotFound(): AppError {
  return new AppError('account_not_found');
}

function findRows(db: Db, userId: string) {
  return findAccounts(db, userId)
    .where('account.is_active', '=', true)
    .orderBy('account.is_default', 'desc')
    .orderBy('account.id')
    .execute();
}

/** A user's accounts, the removed ones included. */
function findAccounts(db: Db, userId: string) {
  return db
    .selectFrom('linked_accounts as account')
    .leftJoin('mobile_money_accounts as mobile', 'mobile.linked_account_id', 'account.id')
    .leftJoin('bank_accounts as bank', 'bank.linked_account_id', 'account.id')
    .leftJoin('payment_recipients as recipient', 'recipient.linked_account_id', 'account.id')
    .selectAll('account')
    .select(['mobile.phone_number', 'mobile.carrier', 'mobile.country_code'])
    .select(['bank.bank_name', 'bank.account_number', 'bank.branch_code', 'bank.swift_code'])
    .select('recipient.last_used')
    .where('account.user_id', '=', userId);
}

function toLinkedAccount(row: AccountRow): LinkedAccount {
  return {
    id: row.id,
    accountType: row.account_type,
    accountName: row.account_name,
    currency: row.currency,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used?.toISOString() ?? null,
    mobileMoney:
      row.phone_number && row.carrier && row.country_code
        ? { phoneNumber: row.phone_number, carrier: row.carrier, countryCode: row.country_code }
        : null,
    bank:
      row.bank_name && row.account_number
        ? {
            bankName: row.bank_name,
            accountNumber: row.account_number,
            branchCode: row.branch_code,
            swiftCode: row.swift_code,
          }
        : null,
  };
}
