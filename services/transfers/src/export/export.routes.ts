import { accountReaderOf } from '@vuka/access/caller';
import { Id } from '@vuka/contracts/http/common';
import {
  ExportedLinkedAccounts,
  ExportedTransfers,
  ExportedWithdrawals,
  ExportPageQuery,
} from '@vuka/contracts/internal/account-export';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { cutPage } from '@vuka/service-kit/page';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { listTransfersOf } from '#history/list-transfers.ts';
import { toReceipt } from '#history/transfer.view.ts';
import { listAllLinkedAccounts } from '#linked-accounts/linked-account.store.ts';
import { findWithdrawals } from '#withdrawals/withdrawal.store.ts';
import { toWithdrawal } from '#withdrawals/withdrawal.view.ts';

const PAGE = 500;
const MOST_ACCOUNTS = 1_000;
const params = z.object({ userId: Id });
const right = 'merchants.export';

/** Exports a user's data in pages: what the product shows to this user, and nothing more about other people. */
export function exportRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.get(
    '/internal/accounts/:userId/linked-accounts',
    { schema: { params, response: { 200: ExportedLinkedAccounts } } },
    async (request) => {
      const { userId } = request.params;
      accountReaderOf(request, { userId, right });
      return { accounts: await listAllLinkedAccounts(db, userId, MOST_ACCOUNTS) };
    },
  );
  app.get(
    '/internal/accounts/:userId/transfers',
    { schema: { params, querystring: ExportPageQuery, response: { 200: ExportedTransfers } } },
    async (request) => {
      const { userId } = request.params;
      accountReaderOf(request, { userId, right });
      const found = await listTransfersOf(db, userId, { limit: PAGE, cursor: request.query.cursor });
      const { rows, nextCursor } = cutPage(found, PAGE, ({ id }) => id);
      return { items: rows.map((row) => toReceipt(row, userId)), nextCursor };
    },
  );
  app.get(
    '/internal/accounts/:userId/withdrawals',
    { schema: { params, querystring: ExportPageQuery, response: { 200: ExportedWithdrawals } } },
    async (request) => {
      const { userId } = request.params;
      accountReaderOf(request, { userId, right });
      const found = await findWithdrawals(db, { userId, limit: PAGE, cursor: request.query.cursor });
      const { rows, nextCursor } = cutPage(found, PAGE, (row) => row.transaction_id);
      return { items: rows.map(toWithdrawal), nextCursor };
    },
  );
}
