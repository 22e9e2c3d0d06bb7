import { createHash } from 'node:crypto';
import { StatementQuery } from '@vuka/contracts/http/statements';
import { TransactionsQuery } from '@vuka/contracts/http/transaction-filters';
import type { TransactionListItem } from '@vuka/contracts/http/transfers';
import type { ReceiptCheck } from '@vuka/contracts/http/verification';
import { HttpResponse, http, type JsonBodyType } from 'msw';
import * as z from 'zod/mini';
import { statementOf } from './statement-fixture.ts';

interface World {
  user: unknown;
  transactions: TransactionListItem[];
}

type Refuse = (code: 'validation_failed' | 'unauthenticated', error: string) => HttpResponse<JsonBodyType>;

/** The code of a receipt: always the same, and as long as a real one. */
export function codeOf(id: string): string {
  return createHash('sha512').update(id).digest('base64url').padEnd(108, 'x');
}

function matches(item: TransactionListItem, { status, direction, from, to, q }: z.infer<typeof TransactionsQuery>) {
  const day = item.createdAt.slice(0, 10);
  const found = [item.id, item.recipientPhone ?? '', item.sourceAmount, item.targetAmount];
  return (
    (!status || item.status === status) &&
    (!direction || item.direction === direction) &&
    (!from || day >= from) &&
    (!to || day <= to) &&
    (!q || found.some((text) => text.includes(q.replaceAll(',', ''))))
  );
}

function listTransactions(world: World, url: URL, refuse: Refuse) {
  const query = z.safeParse(TransactionsQuery, Object.fromEntries(url.searchParams));
  if (!query.success) return refuse('validation_failed', query.error.issues[0]?.message ?? '');
  if (query.data.q && !/^[\d\s+,.-]+$|^[0-9a-f-]{8,}$/.test(query.data.q)) {
    return refuse('validation_failed', 'Search for a transaction ID, a phone number or an amount');
  }
  const all = world.transactions.filter((item) => matches(item, query.data));
  const start = all.findIndex(({ id }) => id === query.data.cursor) + 1;
  const page = all.slice(start, start + query.data.limit);
  const next = new URLSearchParams({ ...Object.fromEntries(url.searchParams), cursor: page.at(-1)?.id ?? '' });
  const hasMore = all.length > start + page.length;
  return HttpResponse.json(page, { headers: hasMore ? { link: `</api/transactions?${next}>; rel="next"` } : {} });
}

function checkOf(item: TransactionListItem): ReceiptCheck {
  const { updatedAt: _, exchangeRate: _rate, metadata, recipientPhone, ...shown } = item;
  return {
    genuine: true,
    checkedAt: '2026-01-12T06:31:00.000Z',
    receipt: {
      ...shown,
      type: metadata.isAdminCredit ? 'deposit' : 'transfer',
      recipientPhone: metadata.isAdminCredit
        ? null
        : `${recipientPhone?.slice(0, 4)}••••••${recipientPhone?.slice(-3)}`,
    },
  };
}

/** History, verification and statements. */
export function receiptHandlers(world: World, refuse: Refuse) {
  const signedIn = <Answer>(answer: () => Answer) =>
    world.user ? answer() : refuse('unauthenticated', 'Please sign in');
  return [
    http.get('*/api/transactions', ({ request }) =>
      signedIn(() => listTransactions(world, new URL(request.url), refuse)),
    ),
    http.get('*/api/transactions/:id/verification', ({ params }) =>
      HttpResponse.json({ code: codeOf(String(params.id)) }),
    ),
    http.get('*/api/verify/:code', ({ params }) => {
      const item = world.transactions.find(({ id }) => codeOf(id) === params.code);
      const forged: ReceiptCheck = { genuine: false, checkedAt: '2026-01-12T06:31:00.000Z' };
      return HttpResponse.json(item ? checkOf(item) : forged);
    }),
    http.get('*/api/statement', ({ request }) => {
      const query = z.safeParse(StatementQuery, Object.fromEntries(new URL(request.url).searchParams));
      if (!query.success) return refuse('validation_failed', query.error.issues[0]?.message ?? '');
      return signedIn(() => HttpResponse.json(statementOf(world.transactions, query.data)));
    }),
    http.get('*/api/statement/this-month', () => {
      const month = { from: '2026-01-01', to: '2026-01-12' };
      const { wallets } = statementOf(world.transactions, month);
      return signedIn(() => HttpResponse.json({ ...month, wallets }));
    }),
  ];
}
