import { adminOf, decidingAdminOf, idOfAdmin } from '@vuka/access/caller';
import { DAY_MS } from '@vuka/contracts/http/days';
import { AdminDepositRequest, AdminDeposits } from '@vuka/contracts/http/deposits';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { DEPOSIT_DAYS } from '@vuka/contracts/http/overview';
import { DepositCount, DepositTaken } from '@vuka/contracts/internal/admin';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { toLargeCredit } from '#register/large-credit.store.ts';
import { type DepositDeps, MOVES, registerDeposit } from '#register/register-deposit.ts';

const DepositBody = z.extend(z.omit(AdminDepositRequest, { pin: true }), { key: z.optional(z.string()) });

export function depositRoutes(app: HttpApp, deps: DepositDeps): void {
  app.post(
    '/internal/deposits',
    { schema: { body: DepositBody, response: { 201: DepositTaken } } },
    async (request, reply) => {
      const caller = decidingAdminOf(request, 'deposits.make');
      const { key, amount, currency, reason } = request.body;
      const beneficiary = { userId: caller.userId, id: idOfAdmin(caller), name: caller.name };
      const done = await registerDeposit(deps, { key, kind: 'deposit', caller, beneficiary, amount, currency, reason });
      if (done.approval !== 'not_needed') return reply.code(201).send({ credit: toLargeCredit(done, caller.userId) });
      return reply.code(201).send({
        amount: done.amount,
        currency: done.currency,
        reference: done.reference,
        transactionId: done.transaction_id ?? '',
      });
    },
  );
  app.get('/internal/deposits', { schema: { response: { 200: AdminDeposits } } }, async (request) => {
    adminOf(request, 'deposits.read');
    const rows = await depositsMade(deps.db)
      .selectAll()
      .orderBy('created_at', 'desc')
      .limit(LIST_SIZES.deposits)
      .execute();
    return {
      deposits: rows.map(({ id, created_at, amount, currency, reason, reference, transaction_id: transactionId }) => ({
        id,
        created_at: created_at.toISOString(),
        amount,
        currency,
        reason,
        reference,
        transactionId,
      })),
    };
  });
  app.get('/internal/deposits/recent-count', { schema: { response: { 200: DepositCount } } }, async (request) => {
    adminOf(request, 'overview.read');
    const { count } = await depositsMade(deps.db)
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('created_at', '>=', new Date(deps.now().getTime() - DEPOSIT_DAYS * DAY_MS))
      .executeTakeFirstOrThrow();
    return { count: Number(count), days: DEPOSIT_DAYS };
  });
}

/** The deposits that moved money, without the credits to merchants, which are many more. */
export function depositsMade(db: Db) {
  return db.selectFrom('admin_deposits').where('kind', '=', 'deposit').where('approval', 'in', MOVES);
}
