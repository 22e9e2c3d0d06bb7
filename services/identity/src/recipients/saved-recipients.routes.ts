import { callerOf } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import {
  MAX_SAVED_RECIPIENTS,
  RecipientAddress,
  SavedRecipient,
  SavedRecipients,
} from '@vuka/contracts/http/recipients';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import type { SealedLabels } from './sealed-labels.ts';

interface SavedRecipientDeps {
  db: Db;
  sealedLabels: SealedLabels;
}

/** Numbers that a user has named, available on all their devices. They never reveal who owns a number. */
export function savedRecipientRoutes(app: HttpApp, deps: SavedRecipientDeps): void {
  const { db } = deps;
  app.get('/internal/saved-recipients', { schema: { response: { 200: SavedRecipients } } }, async (request) => ({
    recipients: await listSavedRecipients(deps, callerOf(request).userId),
  }));
  app.post(
    '/internal/saved-recipients/save',
    { schema: { body: SavedRecipient, response: { 200: SavedRecipient } } },
    async (request) => {
      await saveRecipient(deps, callerOf(request).userId, request.body);
      return request.body;
    },
  );
  app.post(
    '/internal/saved-recipients/forget',
    { schema: { body: RecipientAddress, response: { 200: Ok } } },
    async (request) => {
      await db
        .deleteFrom('saved_recipients')
        .where('user_id', '=', callerOf(request).userId)
        .where('phone', '=', request.body.phone)
        .execute();
      return { ok: true as const };
    },
  );
}

/** A user's recipients by name, which the database cannot sort. */
async function listSavedRecipients(
  { db, sealedLabels }: SavedRecipientDeps,
  userId: string,
): Promise<SavedRecipient[]> {
  const rows = await db.selectFrom('saved_recipients').selectAll().where('user_id', '=', userId).execute();
  return rows
    .map((row) => ({ phone: row.phone, ...sealedLabels.open(row) }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en') || one.phone.localeCompare(other.phone, 'en'));
}

/**
 * Saves or renames a recipient. Throws validation_failed at the maximum number, and unauthenticated for a closed
 * account.
 */
async function saveRecipient(
  { db, sealedLabels }: SavedRecipientDeps,
  userId: string,
  { phone, label }: SavedRecipient,
): Promise<void> {
  const sealed = sealedLabels.seal({ user_id: userId, phone }, { label });
  await db.transaction().execute(async (trx) => {
    // Serialised per user, so that the count holds, and with a closing, which erases them.
    const users = trx.selectFrom('users').select('id').where('id', '=', userId).where('closed_at', 'is', null);
    if (!(await users.forNoKeyUpdate().executeTakeFirst())) throw new AppError('not_signed_in');
    const { others } = await trx
      .selectFrom('saved_recipients')
      .select((select) => select.fn.countAll<string>().as('others'))
      .where('user_id', '=', userId)
      .where('phone', '!=', phone)
      .executeTakeFirstOrThrow();
    if (Number(others) >= MAX_SAVED_RECIPIENTS) {
      throw new AppError('recipients_full', { params: { max: MAX_SAVED_RECIPIENTS } });
    }
    await trx
      .insertInto('saved_recipients')
      .values({ user_id: userId, phone, label: phone, sealed })
      .onConflict((conflict) => conflict.columns(['user_id', 'phone']).doUpdateSet({ label: phone, sealed }))
      .execute();
  });
}
