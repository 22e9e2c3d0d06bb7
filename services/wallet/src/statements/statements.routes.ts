import { Id } from '@vuka/contracts/http/common';
import {
  AccountStatements,
  StatementEntries,
  StatementEntriesQuery,
  StatementPeriod,
} from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { listStatementEntries } from './list-statement-entries.ts';
import { sumStatement } from './sum-statement.ts';

const Owner = z.object({ userId: Id });

/** Movements in a period, with opening and closing balances. */
export function statementRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.get(
    '/internal/accounts/:userId/statement',
    { schema: { params: Owner, querystring: StatementPeriod, response: { 200: AccountStatements } } },
    ({ params, query }) => sumStatement(db, { ...params, from: new Date(query.from), before: new Date(query.before) }),
  );
  app.post(
    '/internal/accounts/:userId/statement-entries',
    { schema: { params: Owner, body: StatementEntriesQuery, response: { 200: StatementEntries } } },
    ({ params, body }) => listStatementEntries(db, { ...params, ...body }),
  );
}
