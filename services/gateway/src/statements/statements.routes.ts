import { Readable } from 'node:stream';
import { dayOf } from '@vuka/contracts/http/days';
import { MonthTotals, Statement, StatementQuery, type StatementWallet } from '@vuka/contracts/http/statements';
import type { EntryRange } from '@vuka/contracts/internal/wallet';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { readMovements, readWallets } from './read-statement.ts';
import { csvClosing, csvHead, csvMovements, csvOpening } from './statement-csv.ts';

/** The movements of the signed-in user's own wallets, as JSON and as a file. */
export function statementRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  const tags = ['statements'];
  app.get(
    '/api/statement',
    {
      schema: {
        tags,
        summary: 'Balances and movements of a period, from the ledger',
        querystring: StatementQuery,
        response: { 200: Statement },
      },
    },
    async (request) => {
      const { user, caller } = await sessions.require(request);
      limits.allowStatement(user.id);
      const { wallets, ranges } = await readWallets(services, user.id, request.query);
      const owner = { userId: user.id, caller };
      const { movements, next } = await readMovements(services, owner, ranges);
      return { ...request.query, madeAt: new Date().toISOString(), wallets, movements, hasMore: next !== null };
    },
  );
  app.get(
    '/api/statement/this-month',
    {
      schema: {
        tags,
        summary: 'What was sent, received and paid in fees since the month began (UTC+3)',
        response: { 200: MonthTotals },
      },
    },
    async (request) => {
      const { user } = await sessions.require(request);
      const to = dayOf(Date.now());
      const month = { from: `${to.slice(0, 7)}-01`, to };
      const { wallets } = await readWallets(services, user.id, month);
      const moved = wallets.map(({ currency, moneyIn, moneyOut, fees }) => ({ currency, moneyIn, moneyOut, fees }));
      return { ...month, wallets: moved };
    },
  );
  app.get(
    '/api/statement.csv',
    {
      schema: {
        tags,
        summary: 'The whole statement as CSV (RFC 4180, UTF-8)',
        querystring: StatementQuery,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const { query: period } = request;
      const { user, caller } = await sessions.require(request);
      limits.allowStatement(user.id);
      const summary = await readWallets(services, user.id, period);
      const first = await readMovements(services, { userId: user.id, caller }, summary.ranges);
      // A slow reader takes minutes. The file is aborted if the session ends meanwhile.
      const read = async (ranges: EntryRange[]) => {
        const signed = await sessions.requireInBackground(request);
        return readMovements(services, { userId: user.id, caller: signed.caller }, ranges);
      };
      const file = `vuka-statement-${period.from}-to-${period.to}.csv`;
      reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${file}"`);
      return reply.send(Readable.from(toCsv(period, summary, first, read)));
    },
  );
}

type Page = Awaited<ReturnType<typeof readMovements>>;

/**
 * The first page is read before the answer begins, so that an unavailable service is a clear error, not a broken
 * file.
 */
async function* toCsv(
  period: StatementQuery,
  { wallets }: { wallets: StatementWallet[] },
  first: Page,
  read: (ranges: EntryRange[]) => Promise<Page>,
): AsyncGenerator<string> {
  yield csvHead() + csvOpening(period, wallets);
  for (let page: Page | null = first; page; page = page.next && (await read(page.next))) {
    yield csvMovements(page.movements);
  }
  yield csvClosing(period, wallets);
}
