import { PinConfirmation } from '@vuka/contracts/http/common';
import type { LargeCredit, LargeCredits, RecentCredits } from '@vuka/contracts/http/credits';
import { CreditBalanceRequest, type CreditBalanceResult } from '@vuka/contracts/http/credits';
import { RefuseProposal } from '@vuka/contracts/http/proposals';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { merchants } from './admin-fixtures.ts';
import { waiting } from './credit-fixtures.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import { pageOf } from './page-of.ts';
import type { World } from './world.ts';

/**
 * Credits: small ones complete at once, those above the limit of the settings after a second administrator's approval.
 */
export function creditHandlers(world: World) {
  return [orderHandler(world), ...decisionHandlers(world)];
}

function orderHandler(world: World) {
  return http.post('*/api/admin/credit-balance', async ({ request }) => {
    const order = z.parse(CreditBalanceRequest, await request.json());
    const { merchantId, currency } = order;
    world.submitted.push({ what: 'credit', key: request.headers.get('idempotency-key'), body: { ...order } });
    const merchant = merchants.find((known) => known.merchantId === merchantId);
    if (!merchant) return errorAnswer('not_found', reason('merchant_not_found'));
    const amount = `${order.amount}.00`;
    if (Number(amount) > Number(world.systemSettings.creditApprovalLimit?.[currency])) {
      const requestedBy = { adminId: 'ADM1', name: 'Zuri Admin' };
      const { fullName: merchantName } = merchant;
      const credit = {
        ...waiting,
        id: fixedId(7310),
        amount,
        currency,
        merchantId,
        merchantName,
        requestedBy,
        isOwn: true,
      };
      world.largeCredits = [...world.largeCredits, credit];
      return HttpResponse.json({ credit }, { status: 202 });
    }
    const made = {
      id: fixedId(7400 + world.recentCredits.length),
      createdAt: '2026-01-12T06:35:00.000Z',
      madeBy: 'Zuri Admin',
    };
    const to = { merchantId, merchantName: merchant.fullName, transactionId: fixedId(3902) };
    world.recentCredits = [{ ...made, ...to, amount, currency }, ...world.recentCredits];
    return HttpResponse.json<z.infer<typeof CreditBalanceResult>>(
      { amount, currency, merchantId, transactionId: fixedId(3902) },
      { status: 201 },
    );
  });
}

/** A deposit above the limit of the settings, which waits; undefined for one that completes at once. */
export function waitingDeposit(
  world: World,
  { amount, currency, reason }: Pick<LargeCredit, 'amount' | 'currency' | 'reason'>,
): LargeCredit | undefined {
  if (Number(amount) <= Number(world.systemSettings.creditApprovalLimit?.[currency])) return undefined;
  const zuri = { adminId: 'ADM1', name: 'Zuri Admin' };
  const deposit: LargeCredit = {
    ...waiting,
    id: fixedId(7311),
    kind: 'deposit',
    amount: `${amount}.00`,
    currency,
    reason,
    merchantId: zuri.adminId,
    merchantName: zuri.name,
    requestedBy: zuri,
    isOwn: true,
  };
  world.largeCredits = [...world.largeCredits, deposit];
  return deposit;
}

function decisionHandlers(world: World) {
  return [
    http.get('*/api/admin/credits/recent', () => HttpResponse.json<RecentCredits>({ credits: world.recentCredits })),
    http.get('*/api/admin/credits', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const all = world.largeCredits.filter((credit) => credit.status === query.get('status'));
      const { page, nextCursor } = pageOf(all, query);
      return HttpResponse.json<LargeCredits>({ credits: page, nextCursor });
    }),
    http.post('*/api/admin/credits/:id/:kind', async ({ params, request }) => {
      const isRefusal = params.kind === 'refuse';
      const body = await request.json();
      const { pin } = z.parse(PinConfirmation, body);
      if (pin !== PIN) return wrongPin();
      const known = world.largeCredits.find(({ id }) => id === params.id);
      if (!known) return errorAnswer('not_found', reason('credit_not_found'));
      const credit: LargeCredit = {
        ...known,
        status: isRefusal ? 'refused' : 'approved',
        decidedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
        decidedAt: '2026-01-12T06:31:00.000Z',
        refusalReason: isRefusal ? z.parse(RefuseProposal, body).reason : null,
        transactionId: isRefusal ? null : fixedId(3903),
      };
      world.largeCredits = world.largeCredits.map((other) => (other === known ? credit : other));
      return HttpResponse.json({ credit });
    }),
  ];
}
