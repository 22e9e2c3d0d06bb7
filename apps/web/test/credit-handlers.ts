import { PinConfirmation } from '@vuka/contracts/http/common';
import type { LargeCredit, LargeCredits } from '@vuka/contracts/http/credits';
import { CreditBalanceRequest, type CreditBalanceResult } from '@vuka/contracts/http/credits';
import { RefuseProposal } from '@vuka/contracts/http/proposals';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { merchants } from './admin-fixtures.ts';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import type { World } from './handlers.ts';
import { pageOf } from './page-of.ts';

const waiting: LargeCredit = {
  id: fixedId(7301),
  kind: 'credit',
  createdAt: '2026-01-11T08:15:00.000Z',
  status: 'awaiting_approval',
  amount: '25000000.00',
  currency: 'KES',
  merchantId: 'WANJ1204KENB',
  merchantName: 'Wanjiku Kamau',
  reason: 'Credit to WANJ1204KENB',
  reference: 'CRD-20260111-7KQ2M9XA',
  requestedBy: { adminId: 'ADM2', name: 'Baraka Admin' },
  decidedBy: null,
  decidedAt: null,
  refusalReason: null,
  transactionId: null,
  isOwn: false,
};

export const largeCredits: LargeCredit[] = [
  waiting,
  {
    ...waiting,
    id: fixedId(7302),
    amount: '410000000.00',
    currency: 'TZS',
    merchantId: 'JUMA7310TZKE',
    merchantName: 'Juma Mwakyusa',
    reference: 'CRD-20260111-M3H8TT0C',
    requestedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
    isOwn: true,
  },
  {
    ...waiting,
    id: fixedId(7304),
    kind: 'deposit',
    amount: '120000.00',
    currency: 'USD',
    merchantId: 'ADM2',
    merchantName: 'Baraka Admin',
    reason: 'Float of the second quarter',
    reference: 'DEP-20260111-Q8ZJ0B4K',
  },
  {
    ...waiting,
    id: fixedId(7303),
    status: 'refused',
    decidedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
    decidedAt: '2026-01-11T09:00:00.000Z',
    refusalReason: 'No contract with this merchant yet',
  },
];

/** Credits: small ones at once, those above the limit of the settings once a second administrator agrees. */
export function creditHandlers(world: World) {
  return [orderHandler(world), ...decisionHandlers(world)];
}

function orderHandler(world: World) {
  return http.post('*/api/admin/credit-balance', async ({ request }) => {
    const order = z.parse(CreditBalanceRequest, await request.json());
    const { merchantId, currency } = order;
    world.submitted.push({ what: 'credit', key: request.headers.get('idempotency-key'), body: { ...order } });
    const merchant = merchants.find((known) => known.merchantId === merchantId);
    if (!merchant) return errorAnswer('not_found', 'Merchant not found');
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
    return HttpResponse.json<z.infer<typeof CreditBalanceResult>>(
      { amount, currency, merchantId, transactionId: fixedId(3902) },
      { status: 201 },
    );
  });
}

/** A deposit above the limit of the settings, which waits; undefined for one that is made at once. */
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
      if (!known) return errorAnswer('not_found', 'Credit not found');
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
