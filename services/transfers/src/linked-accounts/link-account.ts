import type { Caller } from '@vuka/access/caller';
import { type LinkedAccount, MAX_LINKED_ACCOUNTS } from '@vuka/contracts/http/linked-accounts';
import type { AccountToLink } from '@vuka/contracts/internal/withdrawals';
import type { WalletCurrency } from '@vuka/money/corridors';
import { countryOf } from '@vuka/money/directions';
import { currencyOfPhone } from '@vuka/money/phones';
import { AppError } from '@vuka/service-kit/app-error';
import { answerOnce, type KeepAnswer } from '@vuka/service-kit/first-answers';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Transaction } from 'kysely';
import { findStop, lockAccount } from '#closing/stop-account.ts';
import type { Db, Schema } from '#db/schema.ts';
import { changeAccounts, clearDefault } from './change-account.ts';
import { getLinkedAccount, listLinkedAccounts } from './linked-account.store.ts';

export interface LinkAccountDeps {
  db: Db;
  now: () => Date;
  /** The provider that pays phones. */
  provider: { id: string };
}

/**
 * Links an account for withdrawals. The first of its currency becomes the default. Throws invalid_pin without a
 * verified PIN, so that someone who finds an open session cannot add their own phone; already_linked; validation_failed
 * at the maximum number of accounts; idempotency_conflict.
 */
export async function linkAccount(
  deps: LinkAccountDeps,
  account: AccountToLink,
  { caller, key }: { caller: Caller; key: string | undefined },
): Promise<LinkedAccount> {
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  const request = { userId: caller.userId, operation: 'linked account', key, content: account };
  return answerOnce(deps.db, request, (keep) => insertAccount(deps, account, { caller, keep }));
}

function insertAccount(
  deps: LinkAccountDeps,
  account: AccountToLink,
  { caller, keep }: { caller: Caller; keep: KeepAnswer<Schema, LinkedAccount> },
): Promise<LinkedAccount> {
  const id = uuidv7(deps.now().getTime());
  return changeAccounts(deps.db, caller.userId, async (trx) => {
    // Held until the account is linked: a closing then erases it, too.
    await lockAccount(trx, caller.userId);
    if ((await findStop(trx, caller.userId)) === 'for_good') throw new AppError('not_signed_in');
    const known = await listLinkedAccounts(trx, caller.userId);
    const row = toRow(id, account, { caller, at: deps.now() });
    checkNew(known, account, row.currency);
    row.is_default = account.isDefault === true || !known.some(({ currency }) => currency === row.currency);
    if (row.is_default) await clearDefault(trx, caller.userId, row.currency);
    await trx.insertInto('linked_accounts').values(row).execute();
    await insertDetails(trx, id, { account, currency: row.currency, providerId: deps.provider.id });
    const linked = await getLinkedAccount(trx, caller.userId, id);
    await keep(trx, linked);
    return linked;
  });
}

function checkNew(known: LinkedAccount[], account: AccountToLink, currency: string): void {
  if (known.length >= MAX_LINKED_ACCOUNTS) {
    throw new AppError('accounts_full', { params: { max: MAX_LINKED_ACCOUNTS } });
  }
  const isSame = ({ mobileMoney, bank, ...other }: LinkedAccount) =>
    account.accountType === 'bank'
      ? bank?.accountNumber === account.accountNumber &&
        bank.bankName === account.bankName &&
        other.currency === currency
      : mobileMoney?.phoneNumber === account.phoneNumber;
  if (known.some(isSame)) throw new AppError('account_linked_already');
}

function toRow(id: string, account: AccountToLink, { caller, at }: { caller: Caller; at: Date }) {
  return {
    id,
    user_id: caller.userId,
    merchant_id: caller.merchantId,
    account_type: account.accountType,
    account_name: account.accountName,
    is_default: false,
    currency: account.accountType === 'bank' ? account.currency : currencyOfPhone(account.phoneNumber),
    created_at: at,
    updated_at: at,
  };
}

async function insertDetails(
  trx: Transaction<Schema>,
  id: string,
  details: { account: AccountToLink; currency: WalletCurrency; providerId: string },
): Promise<void> {
  const { account, currency, providerId } = details;
  const recipient = { linked_account_id: id, recipient_type: account.accountType, currency };
  if (account.accountType === 'bank') {
    const { bankName, accountNumber, branchCode = null, swiftCode = null } = account;
    const bank = { bank_name: bankName, account_number: accountNumber, branch_code: branchCode, swift_code: swiftCode };
    await trx
      .insertInto('bank_accounts')
      .values({ linked_account_id: id, ...bank })
      .execute();
    await trx
      .insertInto('payment_recipients')
      .values({ ...recipient, provider_name: 'bank', recipient_code: accountNumber })
      .execute();
    return;
  }
  const { phoneNumber, carrier } = account;
  await trx
    .insertInto('mobile_money_accounts')
    .values({
      linked_account_id: id,
      phone_number: phoneNumber,
      carrier,
      country_code: countryOf(currency),
    })
    .execute();
  await trx
    .insertInto('payment_recipients')
    .values({ ...recipient, provider_name: providerId, recipient_code: phoneNumber.replace('+', '') })
    .execute();
}
