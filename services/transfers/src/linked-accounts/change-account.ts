import type { LinkedAccount, LinkedAccountChange } from '@vuka/contracts/http/linked-accounts';
import type { WalletCurrency } from '@vuka/money/corridors';
import { sql, type Transaction } from 'kysely';
import { deleteUnpaid } from '#closing/delete-unpaid.ts';
import type { Db, Schema } from '#db/schema.ts';
import { getLinkedAccount, listLinkedAccounts } from './linked-account.store.ts';

type Trx = Transaction<Schema>;
interface ChangeDeps {
  db: Db;
  now: () => Date;
}

/** Serialises changes of a user's accounts, so that limits and defaults hold. */
export function changeAccounts<Result>(db: Db, userId: string, change: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('linked_accounts'), hashtext(${userId}))`.execute(trx);
    return change(trx);
  });
}

/** Clears a user's default account of a currency, so that another can become the default. */
export async function clearDefault(trx: Trx, userId: string, currency: WalletCurrency): Promise<void> {
  await trx
    .updateTable('linked_accounts')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('currency', '=', currency)
    .where('is_default', '=', true)
    .execute();
}

/** Renames an account or makes it the default of its currency. Throws not_found. */
export function changeAccount(
  deps: ChangeDeps,
  userId: string,
  { id, change }: { id: string; change: LinkedAccountChange },
): Promise<LinkedAccount> {
  return changeAccounts(deps.db, userId, async (trx) => {
    const account = await getLinkedAccount(trx, userId, id);
    if (change.isDefault) await clearDefault(trx, userId, account.currency);
    await trx
      .updateTable('linked_accounts')
      .set({
        account_name: change.accountName ?? account.accountName,
        is_default: change.isDefault ?? account.isDefault,
        updated_at: deps.now(),
      })
      .where('id', '=', id)
      .execute();
    return getLinkedAccount(trx, userId, id);
  });
}

/**
 * Removes an account. One that was paid stays, deactivated: its withdrawals show it, and those in progress are still paid
 * to it. Throws not_found.
 */
export function removeAccount(deps: ChangeDeps, userId: string, id: string): Promise<void> {
  return changeAccounts(deps.db, userId, async (trx) => {
    const account = await getLinkedAccount(trx, userId, id);
    const updated_at = deps.now();
    await trx
      .updateTable('linked_accounts')
      .set({ is_active: false, is_default: false, updated_at })
      .where('id', '=', id)
      .execute();
    await trx.updateTable('payment_recipients').set({ is_active: false }).where('linked_account_id', '=', id).execute();
    // The update has waited for a withdrawal that was being made, and later ones find the account inactive.
    await deleteUnpaid(trx, sql`(${id}::uuid)`);
    const heir = (await listLinkedAccounts(trx, userId)).find(({ currency }) => currency === account.currency);
    if (!account.isDefault || !heir) return;
    await trx.updateTable('linked_accounts').set({ is_default: true, updated_at }).where('id', '=', heir.id).execute();
  });
}
