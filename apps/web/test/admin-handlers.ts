import { AdminDepositRequest, type AdminDepositResult, type AdminDeposits } from '@vuka/contracts/http/deposits';
import type { IntegrationLogDetail, IntegrationLogs } from '@vuka/contracts/http/integration-logs';
import { type MerchantSort, MerchantsQuery } from '@vuka/contracts/http/merchants';
import type { Notifications } from '@vuka/contracts/http/notifications';
import { RatesUpdate } from '@vuka/contracts/http/rates';
import { NotificationSettings } from '@vuka/contracts/http/settings';
import { ChangePinRequest } from '@vuka/contracts/http/users';
import { reason } from '@vuka/contracts/texts/reason';
import { inverseSellRate, sellRate } from '@vuka/money';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { waitingDeposit } from './credit-handlers.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import { proposeRate } from './proposal-handlers.ts';
import type { Stuck, World } from './world.ts';

export function adminHandlers(world: World) {
  return [
    ...moneyHandlers(world),
    ...rateHandlers(world),
    ...merchantHandlers(world),
    ...settingsHandlers(world),
    ...operationHandlers(world),
  ];
}

function moneyHandlers(world: World) {
  return [
    http.get('*/api/admin/deposits', () =>
      HttpResponse.json<z.infer<typeof AdminDeposits>>({ deposits: world.deposits }),
    ),
    http.post('*/api/admin/deposit', async ({ request }) => {
      const { pin, ...deposit } = z.parse(AdminDepositRequest, await request.json());
      world.submitted.push({ what: 'deposit', key: request.headers.get('idempotency-key'), body: deposit });
      if (pin !== PIN) return wrongPin();
      const amount = `${deposit.amount}.00`;
      const credit = waitingDeposit(world, deposit);
      if (credit) return HttpResponse.json({ credit }, { status: 202 });
      const reference = `DEP-20260112-${String(world.submitted.length).padStart(8, '0')}`;
      const { currency, reason } = deposit;
      const id = fixedId(3910 + world.submitted.length);
      const result = { amount, currency, reference, transactionId: fixedId(3901) };
      world.deposits = [{ ...result, id, created_at: new Date().toISOString(), reason }, ...world.deposits];
      return HttpResponse.json<z.infer<typeof AdminDepositResult>>(result, { status: 201 });
    }),
  ];
}

function rateHandlers(world: World) {
  return [
    http.get('*/api/rates/history', () => HttpResponse.json(world.rateHistory)),
    http.post('*/api/rates/update', async ({ request }) => {
      const { buyRate, markup, replaces } = z.parse(RatesUpdate, await request.json());
      if (replaces && replaces !== world.rateHistory[0]?.id) {
        return errorAnswer('changed_meanwhile', reason('changed_meanwhile'));
      }
      const kesToTzs = Number(sellRate(buyRate, markup));
      const tzsToKes = Number(inverseSellRate(buyRate, markup));
      const asked = { buyRate: Number(buyRate), markup: Number(markup), kesToTzs, tzsToKes };
      const proposal = proposeRate(world, asked);
      if (proposal) return HttpResponse.json({ proposal }, { status: 202 });
      world.rates = {
        ...asked,
        sellRate: kesToTzs,
        updatedAt: new Date().toISOString(),
      };
      const entry = {
        id: fixedId(3950 + world.rateHistory.length),
        createdAt: world.rates.updatedAt,
        buyRate: Number(buyRate),
        markup: Number(markup),
        sellRate: kesToTzs,
        updatedByName: 'Zuri Admin',
      };
      world.rateHistory = [entry, ...world.rateHistory];
      return HttpResponse.json(world.rates);
    }),
  ];
}

function merchantHandlers(world: World) {
  return [http.get('*/api/admin/merchants', ({ request }) => listMerchants(world, new URL(request.url).searchParams))];
}

/** Searched, sorted and paged like identity does it; the cursor is the number of previous rows. */
function listMerchants(world: World, asked: URLSearchParams) {
  const query = z.parse(MerchantsQuery, Object.fromEntries(asked));
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const key = query.sort.replace('-', '') as MerchantSort;
  const sign = query.sort.startsWith('-') ? -1 : 1;
  const found = world.merchants
    .filter(({ username, fullName, email, phone, country, merchantId }) => {
      const text = [username, fullName, email, phone, country, merchantId].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => sign * String(a[key]).localeCompare(String(b[key]), 'en', { sensitivity: 'base' }));
  const from = Number(query.cursor ?? 0);
  const to = query.limit ? from + query.limit : found.length;
  const next = new URLSearchParams({ ...Object.fromEntries(asked), cursor: String(to) });
  return HttpResponse.json(found.slice(from, to), {
    headers: {
      'x-total-count': String(found.length),
      ...(to < found.length ? { link: `</api/admin/merchants?${next}>; rel="next"` } : {}),
    },
  });
}

function settingsHandlers(world: World) {
  return [
    http.post('*/api/admin/change-pin', async ({ request }) => {
      const { currentPin } = z.parse(ChangePinRequest, await request.json());
      return currentPin === PIN ? HttpResponse.json({ ok: true }) : errorAnswer('invalid_pin', reason('invalid_pin'));
    }),
    http.get('*/api/admin/notification-settings', () => HttpResponse.json(world.notificationSettings)),
    http.post('*/api/admin/notification-settings', async ({ request }) => {
      world.notificationSettings = z.parse(NotificationSettings, await request.json());
      return HttpResponse.json(world.notificationSettings);
    }),
    http.get('*/api/admin/system-settings', () => HttpResponse.json(world.systemSettings)),
  ];
}

function operationHandlers(world: World) {
  return [
    http.get('*/api/admin/notifications', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const matches = (name: 'channel' | 'status', value: string): boolean => [null, value].includes(query.get(name));
      const found = world.notifications.filter(
        ({ channel, status }) => matches('channel', channel) && matches('status', status),
      );
      return HttpResponse.json<z.infer<typeof Notifications>>({ notifications: found });
    }),
    http.get('*/api/admin/overview', () => HttpResponse.json(world.overview)),
    http.get('*/api/admin/ledger/audit', () => HttpResponse.json(world.audit)),
    http.get('*/api/admin/stuck-transactions', () => HttpResponse.json<Stuck>({ stuckTransactions: world.stuck })),
    http.post('*/api/admin/transactions/:id/retry', ({ params }) => {
      const row = world.stuck.find(({ transaction }) => transaction.id === params.id);
      if (!row) return errorAnswer('not_retryable', 'This transaction has ended');
      world.stuck = world.stuck.filter((other) => other !== row);
      return HttpResponse.json(row, { status: 202 });
    }),
    http.get('*/api/integration-logs/recent', ({ request }) => {
      const query = new URL(request.url).searchParams;
      if (query.get('generate') === 'true') world.logs = world.testLogs;
      const wanted = query.get('transactionId');
      const found = world.logs.filter((log) => !wanted || log.transactionId === wanted);
      return HttpResponse.json<z.infer<typeof IntegrationLogs>>({ logs: found });
    }),
    http.get('*/api/integration-logs/log/:id', ({ params }) => {
      const log = world.logs.find(({ id }) => id === params.id);
      return log
        ? HttpResponse.json<z.infer<typeof IntegrationLogDetail>>({ log })
        : errorAnswer('not_found', reason('log_not_found'));
    }),
  ];
}
