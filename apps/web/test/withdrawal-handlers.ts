import { Pin, PinConfirmation } from '@vuka/contracts/http/common';
import { AddFee } from '@vuka/contracts/http/fees';
import { type LinkedAccount, LinkedAccountChange, NewLinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { CreateWithdrawal, PayerClaim, type WithdrawalPrice } from '@vuka/contracts/http/withdrawals';
import { reason } from '@vuka/contracts/texts/reason';
import { currencyOfPhone } from '@vuka/money/phones';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { fixedId, PIN } from './fixtures.ts';
import { pageOf } from './page-of.ts';
import { AT, waiting } from './withdrawal-fixtures.ts';
import type { World } from './world.ts';

export function withdrawalHandlers(world: World) {
  return [...accountHandlers(world), ...orderHandlers(world), ...adminHandlers(world)];
}

function accountHandlers(world: World) {
  const find = (id: unknown) => world.linkedAccounts.find((account) => account.id === id);
  return [
    http.get('*/api/linked-accounts', () => HttpResponse.json({ accounts: world.linkedAccounts })),
    http.post('*/api/linked-accounts', async ({ request }) => {
      const { pin, ...account } = z.parse(NewLinkedAccount, await request.json());
      if (pin !== PIN) return wrongPin();
      const base = { id: fixedId(7003), createdAt: AT, lastUsedAt: null, isDefault: false };
      const { accountType, accountName } = account;
      const linked: LinkedAccount =
        account.accountType === 'bank'
          ? {
              ...base,
              accountType,
              accountName,
              currency: account.currency,
              mobileMoney: null,
              bank: {
                bankName: account.bankName,
                accountNumber: account.accountNumber,
                branchCode: account.branchCode ?? null,
                swiftCode: account.swiftCode ?? null,
              },
            }
          : {
              ...base,
              accountType,
              accountName,
              currency: currencyOfPhone(account.phoneNumber),
              mobileMoney: { phoneNumber: account.phoneNumber, carrier: account.carrier, countryCode: 'KE' },
              bank: null,
            };
      world.linkedAccounts = [...world.linkedAccounts, linked];
      return HttpResponse.json(linked, { status: 201 });
    }),
    http.patch('*/api/linked-accounts/:id', async ({ params, request }) => {
      z.parse(LinkedAccountChange, await request.json());
      const changed = find(params.id);
      if (!changed) return errorAnswer('not_found', reason('account_not_found'));
      world.linkedAccounts = world.linkedAccounts.map((account) => ({ ...account, isDefault: account === changed }));
      return HttpResponse.json({ ...changed, isDefault: true });
    }),
    http.delete('*/api/linked-accounts/:id', ({ params }) => {
      world.linkedAccounts = world.linkedAccounts.filter(({ id }) => id !== params.id);
      return HttpResponse.json({ ok: true });
    }),
  ];
}

function orderHandlers(world: World) {
  const price = (amount: string, accountId: string | null): WithdrawalPrice | undefined => {
    const account = world.linkedAccounts.find(({ id }) => id === accountId);
    if (!account) return undefined;
    return {
      amount: `${amount}.00`,
      currency: account.currency,
      fee: world.withdrawalFee,
      total: (Number(amount) + Number(world.withdrawalFee)).toFixed(2),
      requiresApproval: account.bank !== null || Number(amount) > 100_000,
    };
  };
  return [
    http.get('*/api/withdrawals/price', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const answer = price(query.get('amount') ?? '0', query.get('linkedAccountId'));
      return answer ? HttpResponse.json(answer) : errorAnswer('not_found', reason('account_not_found'));
    }),
    http.post('*/api/withdrawals', async ({ request }) => {
      const order = z.parse(CreateWithdrawal, await request.json());
      world.withdrawalsReceived.push(order);
      if (order.pin !== PIN) return wrongPin();
      if (order.fee !== world.withdrawalFee) {
        return errorAnswer('fee_changed', reason('withdrawal_fee_changed'));
      }
      const made = price(order.amount, order.linkedAccountId);
      const status = made?.requiresApproval ? 'awaiting_approval' : 'pending';
      const withdrawal = { ...waiting, ...made, id: fixedId(7201), status };
      return HttpResponse.json({ withdrawal }, { status: 201 });
    }),
  ];
}

function adminHandlers(world: World) {
  return [
    http.get('*/api/admin/withdrawals', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const all = world.adminWithdrawals.filter((withdrawal) => withdrawal.status === query.get('status'));
      const { page, nextCursor } = pageOf(all, query);
      return HttpResponse.json({ withdrawals: page, nextCursor });
    }),
    http.post('*/api/admin/withdrawals/:id/take', async ({ params, request }) => {
      const withdrawal = world.adminWithdrawals.find(({ id }) => id === params.id);
      if (!withdrawal) return errorAnswer('not_found', reason('withdrawal_not_found'));
      const { comparedWithStatement, payingSince } = z.parse(PayerClaim, await request.json());
      if (withdrawal.payingSince !== payingSince)
        return errorAnswer(
          'already_decided',
          reason('withdrawal_paid_by_other', { name: withdrawal.payingName ?? '' }),
        );
      if (!withdrawal.canBeTaken)
        return errorAnswer(
          'already_decided',
          reason('withdrawal_taken_recently', { name: withdrawal.payingName ?? '', hours: '24' }),
        );
      if (withdrawal.mayBePaid && !comparedWithStatement)
        return errorAnswer('already_decided', reason('withdrawal_may_be_paid'));
      Object.assign(withdrawal, { payingName: 'Zuri Admin', payingSince: AT, isPaidByCaller: true });
      return HttpResponse.json({ withdrawal });
    }),
    http.post('*/api/admin/withdrawals/:id/:kind', async ({ params, request }) => {
      const withdrawal = world.adminWithdrawals.find(({ id }) => id === params.id);
      if (!withdrawal) return errorAnswer('not_found', reason('withdrawal_not_found'));
      const { pin, ...body } = z.parse(z.looseObject({ pin: Pin }), await request.json());
      if (pin !== PIN) return wrongPin();
      world.decisions.push({ id: withdrawal.id, kind: String(params.kind), body });
      world.adminWithdrawals = world.adminWithdrawals.filter((other) => other !== withdrawal);
      return HttpResponse.json({ withdrawal });
    }),
    http.get('*/api/admin/fees', () => HttpResponse.json({ fees: world.fees })),
    http.post('*/api/admin/fees', async ({ request }) => {
      const { maxAmount, pin, ...fee } = z.parse(AddFee, await request.json());
      if (pin !== PIN) return wrongPin();
      const money = (amount: string) => `${amount}.00`;
      const added = {
        ...fee,
        id: String(world.fees.length + 1),
        minAmount: money(fee.minAmount),
        maxAmount: maxAmount ? money(maxAmount) : null,
        fixedFee: money(fee.fixedFee),
        updatedByName: 'Zuri Admin',
      };
      world.fees = [...world.fees, added];
      return HttpResponse.json(added, { status: 201 });
    }),
    http.post('*/api/admin/fees/:id/remove', async ({ params, request }) => {
      if (z.parse(PinConfirmation, await request.json()).pin !== PIN) return wrongPin();
      world.fees = world.fees.filter(({ id }) => id !== params.id);
      return HttpResponse.json({ ok: true });
    }),
  ];
}
