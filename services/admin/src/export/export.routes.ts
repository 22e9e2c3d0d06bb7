import { accountReaderOf } from '@vuka/access/caller';
import { ExportedRecords } from '@vuka/contracts/http/account-export';
import { Id } from '@vuka/contracts/http/common';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { withoutCode } from '#notifications/code-message.domain.ts';
import type { SealedNotifications } from '#notifications/sealed-notifications.ts';

interface ExportDeps {
  db: Db;
  sealed: SealedNotifications;
}

/** What is recorded here about a user. Administrators are not named. */
export function exportRoutes(app: HttpApp, deps: ExportDeps): void {
  app.get(
    '/internal/accounts/:userId/records',
    { schema: { params: z.object({ userId: Id }), response: { 200: ExportedRecords } } },
    async (request) => {
      const { userId } = request.params;
      accountReaderOf(request, { userId, right: 'merchants.export' });
      const [messages, deposits, actionsOfAdministrators] = await Promise.all([
        messagesTo(deps, userId),
        depositsTo(deps, userId),
        actionsAbout(deps, userId),
      ]);
      return { messages, deposits, actionsOfAdministrators };
    },
  );
}

async function messagesTo({ db, sealed }: ExportDeps, userId: string) {
  const rows = await db.selectFrom('notifications').selectAll().where('user_id', '=', userId).orderBy('id').execute();
  return rows.map((row) => {
    const { recipient, subject, body } = sealed.open(row);
    const readable = (text: string) => (row.has_code ? withoutCode(text) : text);
    return {
      sentAt: row.sent_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      channel: row.channel,
      recipient,
      subject: subject && readable(subject),
      body: readable(body),
      status: row.status,
    };
  });
}

async function depositsTo({ db }: ExportDeps, userId: string) {
  const rows = await db
    .selectFrom('admin_deposits')
    .select(['reference', 'created_at', 'amount', 'currency', 'reason', 'transaction_id'])
    .where('beneficiary_user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, transaction_id, ...row }) => ({
    ...row,
    at: created_at.toISOString(),
    transactionId: transaction_id,
  }));
}

async function actionsAbout({ db }: ExportDeps, userId: string) {
  const rows = await db
    .selectFrom('audit_trail')
    .select(['at', 'action', 'reason'])
    .where('subject_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}
