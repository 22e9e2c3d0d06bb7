import { accountReaderOf } from '@vuka/access/caller';
import { Id } from '@vuka/contracts/http/common';
import { ExportedMessages, ExportPageQuery, PagedRecords, RecordsQuery } from '@vuka/contracts/internal/account-export';
import { unavailable } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { cutPage } from '@vuka/service-kit/page';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { withoutCode } from '#notifications/code-message.domain.ts';
import type { SealedNotifications } from '#notifications/sealed-notifications.ts';

interface ExportDeps {
  db: Db;
  sealed: SealedNotifications;
}

const PAGE = 500;
/** Messages in one answer to a gateway of the previous release, which does not ask for pages. */
const MOST_UNPAGED = 5_000;
const params = z.object({ userId: Id });
const right = 'merchants.export';

/** What is recorded here about a user. Administrators are not named. */
export function exportRoutes(app: HttpApp, deps: ExportDeps): void {
  app.get(
    '/internal/accounts/:userId/records',
    { schema: { params, querystring: RecordsQuery, response: { 200: PagedRecords } } },
    async (request) => {
      const { userId } = request.params;
      accountReaderOf(request, { userId, right });
      const [{ items: messages, nextCursor }, deposits, actionsOfAdministrators] = await Promise.all([
        request.query.paged ? pageOfMessages(deps, userId) : allMessages(deps, userId),
        depositsTo(deps, userId),
        actionsAbout(deps, userId),
      ]);
      return { messages, deposits, actionsOfAdministrators, nextCursor };
    },
  );
  app.get(
    '/internal/accounts/:userId/messages',
    { schema: { params, querystring: ExportPageQuery, response: { 200: ExportedMessages } } },
    async (request) => {
      const { userId } = request.params;
      accountReaderOf(request, { userId, right });
      return pageOfMessages(deps, userId, request.query.cursor);
    },
  );
}

/**
 * Reads one page of messages: a busy merchant has hundreds of thousands, and reading all at once would stop the service
 * for seconds.
 */
async function pageOfMessages({ db, sealed }: ExportDeps, userId: string, cursor?: string | undefined) {
  const found = await db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(cursor !== undefined, (query) => query.where('id', '>', cursor ?? ''))
    .orderBy('id')
    .limit(PAGE + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, PAGE, ({ id }) => id);
  const items = rows.map((row) => {
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
  return { items, nextCursor };
}

/** Throws unavailable beyond the limit, since a part of the messages would look like all of them. */
async function allMessages(deps: ExportDeps, userId: string): ReturnType<typeof pageOfMessages> {
  const { items, nextCursor } = await pageOfMessages(deps, userId);
  for (let cursor = nextCursor; cursor !== null; ) {
    if (items.length >= MOST_UNPAGED) throw unavailable(new Error('too many messages for an answer without pages'));
    const page = await pageOfMessages(deps, userId, cursor);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return { items, nextCursor: null };
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
