import type { About } from '@vuka/contracts/http/about';
import { CreateTransfer } from '@vuka/contracts/http/orders';
import { type Quote, QuoteRequest } from '@vuka/contracts/http/quotes';
import { RecipientName } from '@vuka/contracts/http/recipients';
import type { Receipt, Timeline, TransactionListItem } from '@vuka/contracts/http/transfers';
import { LoginRequest, ProfileUpdate, RegisterRequest } from '@vuka/contracts/http/users';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { adjustmentHandlers } from './adjustment-handlers.ts';
import { adminHandlers } from './admin-handlers.ts';
import { administratorHandlers, stepUpHandlers } from './administrator-handlers.ts';
import { apiKeyHandlers } from './api-key-handlers.ts';
import { creditHandlers } from './credit-handlers.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { failureLabHandlers } from './failure-lab-handlers.ts';
import { admin, amina, fixedId, PIN, receiptOf, timelineOf } from './fixtures.ts';
import { limitHandlers } from './limit-handlers.ts';
import { operationsHandlers } from './operations-handlers.ts';
import { proposalHandlers } from './proposal-handlers.ts';
import { receiptHandlers } from './receipt-handlers.ts';
import { reconciliationHandlers } from './reconciliation-handlers.ts';
import { securityHandlers } from './security-handlers.ts';
import { withdrawalHandlers } from './withdrawal-handlers.ts';
import { IDLE_LIMIT_MS, type World } from './world.ts';

export { errorAnswer };

const unauthenticated = () => errorAnswer('unauthenticated', 'Please sign in');

export function quoteFor(world: World, direction: Quote['direction'], sourceAmount: string): Quote {
  const isToTanzania = direction === 'KES_TO_TZS';
  const rate = isToTanzania ? world.rates.kesToTzs : world.rates.tzsToKes;
  world.quotesMade += 1;
  return {
    quoteId: fixedId(5000 + world.quotesMade),
    direction,
    rate: String(rate),
    sourceAmount: `${sourceAmount}.00`,
    sourceCurrency: isToTanzania ? 'KES' : 'TZS',
    targetAmount: `${Math.round(Number(sourceAmount) * rate)}.00`,
    targetCurrency: isToTanzania ? 'TZS' : 'KES',
    fee: (world.transferFee.fixed + (Number(sourceAmount) * world.transferFee.percent) / 100).toFixed(2),
    expiresAt: new Date(Date.now() + world.quoteHoldMs).toISOString(),
  };
}

function sessionHandlers(world: World) {
  return [
    http.get('*/api/user', ({ request }) => {
      if (Date.now() > world.sessionEndsAtMs) world.user = null;
      if (!world.user) return unauthenticated();
      if (!request.headers.has('x-vuka-background')) world.sessionEndsAtMs = Date.now() + IDLE_LIMIT_MS;
      const secondsLeft = Math.floor((world.sessionEndsAtMs - Date.now()) / 1_000);
      const headers = { 'x-vuka-session-ends-in': String(secondsLeft) };
      return HttpResponse.json(world.user, { headers });
    }),
    http.post('*/api/login', async ({ request }) => {
      const form = z.parse(LoginRequest, await request.json());
      const user = [amina, admin].find((known) => known.email === form.username);
      if (!user || form.pin !== PIN) return errorAnswer('invalid_credentials', 'Wrong email or PIN');
      world.user = user;
      world.sessionEndsAtMs = Date.now() + IDLE_LIMIT_MS;
      return HttpResponse.json(user);
    }),
    http.post('*/api/register', async ({ request }) => {
      const form = z.parse(RegisterRequest, await request.json());
      if (form.email === amina.email) return errorAnswer('email_taken', 'This email is already registered');
      world.user = { ...amina, email: form.email, username: form.email, fullName: form.name, phone: form.phoneNumber };
      return HttpResponse.json(world.user, { status: 201 });
    }),
    http.post('*/api/logout', () => {
      world.user = null;
      return HttpResponse.json({ ok: true });
    }),
    http.patch('*/api/profile', async ({ request }) => {
      const { defaultCurrency } = z.parse(ProfileUpdate, await request.json());
      if (!world.user) return unauthenticated();
      world.user = { ...world.user, defaultCurrency };
      world.balances = { ...world.balances, defaultCurrency };
      return HttpResponse.json(world.user);
    }),
  ];
}

function settle(world: World, body: CreateTransfer): TransactionListItem {
  const number = 900 + world.received.length;
  const isToTanzania = body.direction === 'KES_TO_TZS';
  const created: TransactionListItem = {
    id: fixedId(number),
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    sourceAmount: `${body.sourceAmount}.00`,
    sourceCurrency: isToTanzania ? 'KES' : 'TZS',
    targetAmount: body.targetAmount.includes('.') ? body.targetAmount : `${body.targetAmount}.00`,
    targetCurrency: isToTanzania ? 'TZS' : 'KES',
    exchangeRate: String(isToTanzania ? world.rates.kesToTzs : world.rates.tzsToKes),
    direction: body.direction,
    recipientPhone: body.recipientPhone,
    status: 'PENDING',
    metadata: { isAdminCredit: false, transactionType: 'DEBIT' },
  };
  world.transactions = [created, ...world.transactions];
  return created;
}

function transferHandlers(world: World) {
  const find = (id: unknown) => world.transactions.find((item) => item.id === id);
  return [
    http.get('*/api/balances', () => (world.user ? HttpResponse.json(world.balances) : unauthenticated())),
    http.get('*/api/rates/days', () => HttpResponse.json(world.rateDays)),
    http.get('*/api/rates', () => HttpResponse.json(world.rates)),
    http.get('*/api/transactions/:id', ({ params }) => {
      const item = find(params.id);
      return item
        ? HttpResponse.json<Receipt>(receiptOf(item))
        : errorAnswer('not_found', reason('transaction_not_found'));
    }),
    http.get('*/api/transactions/:id/timeline', ({ params }) => {
      const item = find(params.id);
      return item
        ? HttpResponse.json<Timeline>(timelineOf(item))
        : errorAnswer('not_found', reason('transaction_not_found'));
    }),
    http.post('*/api/quotes', async ({ request }) => {
      const body = z.parse(QuoteRequest, await request.json());
      const quote = quoteFor(world, body.direction, body.sourceAmount);
      if (Number(quote.targetAmount) > 0) return HttpResponse.json<Quote>(quote);
      const message = 'The amount is too small to send.';
      return errorAnswer('validation_failed', message, { issues: [{ path: 'sourceAmount', message }] });
    }),
    http.post('*/api/transactions/create', async ({ request }) => {
      const body = z.parse(CreateTransfer, await request.json());
      world.received.push(body);
      if (body.pin !== PIN) return wrongPin();
      const quote = quoteFor(world, body.direction, body.sourceAmount);
      if (body.fee !== undefined && body.fee !== quote.fee)
        return errorAnswer('rate_changed', reason('transfer_fee_changed'), { quote });
      const created = settle(world, body);
      return HttpResponse.json<Receipt>(receiptOf(created), { status: 201 });
    }),
  ];
}

function recipientHandlers(world: World) {
  const others = (phone: unknown) => world.recipients.filter((recipient) => recipient.phone !== phone);
  return [
    http.get('*/api/recipients', () => HttpResponse.json({ recipients: world.recipients })),
    http.get('*/api/recipients/:phone/holder', ({ params }) => {
      const name = world.holders[String(params.phone)] ?? null;
      return HttpResponse.json({ kind: name ? 'merchant' : 'phone', name });
    }),
    http.put('*/api/recipients/:phone', async ({ params, request }) => {
      const { label } = z.parse(RecipientName, await request.json());
      const saved = { phone: String(params.phone), label };
      world.recipients = [...others(params.phone), saved].sort((a, b) => a.label.localeCompare(b.label));
      return HttpResponse.json(saved);
    }),
    http.delete('*/api/recipients/:phone', ({ params }) => {
      world.recipients = others(params.phone);
      return HttpResponse.json({ ok: true });
    }),
  ];
}

function brokenHandlers(world: World) {
  return [
    ...world.unavailable.map((path) => http.all(`*${path}`, () => errorAnswer('unavailable', reason('unavailable')))),
    ...world.silent.map((path) => http.all(`*${path}`, () => new Promise<never>(() => undefined))),
  ];
}

/** The public API that the pages use, typed by the contracts. */
export function createHandlers(world: World) {
  return [
    ...brokenHandlers(world),
    http.get('*/api/about', () =>
      HttpResponse.json<About>({
        systemName: world.systemSettings.systemName,
        supportEmail: world.systemSettings.supportEmail,
        ...(world.isDemo ? { isDemo: true } : {}),
      }),
    ),
    ...stepUpHandlers(world),
    ...sessionHandlers(world),
    ...transferHandlers(world),
    ...receiptHandlers(world, errorAnswer),
    ...recipientHandlers(world),
    ...withdrawalHandlers(world),
    ...adminHandlers(world),
    ...administratorHandlers(world),
    ...creditHandlers(world),
    ...adjustmentHandlers(world),
    ...proposalHandlers(world),
    ...limitHandlers(world),
    ...securityHandlers(world),
    ...apiKeyHandlers(world),
    ...reconciliationHandlers(world),
    ...operationsHandlers(world),
    ...failureLabHandlers(world),
  ];
}
