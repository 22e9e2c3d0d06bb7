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

interface SavedRecipientDeps {
  db: Db;
}

/** Numbers that a user has named, available on all their devices. They never reveal who owns a number. */
export function savedRecipientRoutes(app: HttpApp, { db }: SavedRecipientDeps): void {
  app.get('/internal/saved-recipients', { schema: { response: { 200: SavedRecipients } } }, async (request) => ({
    recipients: await db
      .selectFrom('saved_recipients')
      .select(['phone', 'label'])
      .where('user_id', '=', callerOf(request).userId)
      .orderBy('label')
      .orderBy('phone')
      .execute(),
  }));
  app.post(
    '/internal/saved-recipients/save',
    { schema: { body: SavedRecipient, response: { 200: SavedRecipient } } },
    async (request) => {
      await saveRecipient(db, callerOf(request).userId, request.body);
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

/** Saves or renames a recipient. Throws validation_failed at the maximum number. */
async function saveRecipient(db: Db, userId: string, { phone, label }: SavedRecipient): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Serialised per user, so that the count holds.
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
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
      .values({ user_id: userId, phone, label })
      .onConflict((conflict) => conflict.columns(['user_id', 'phone']).doUpdateSet({ label }))
      .execute();
  });
}
