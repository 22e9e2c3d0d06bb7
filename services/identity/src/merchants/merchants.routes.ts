import { adminOf, type Caller, confirmedAdminOf } from '@vuka/access/caller';
import { createReadRecorder, type Reading } from '@vuka/access/reads';
import { mayDo } from '@vuka/contracts/http/admin-rights';
import { UnlockRequested } from '@vuka/contracts/http/administrators';
import { BlockChange, BusinessChange, Merchant, MerchantAccount, MerchantsQuery } from '@vuka/contracts/http/merchants';
import { MerchantPage } from '@vuka/contracts/internal/identity';
import { reason } from '@vuka/contracts/texts/reason';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { type Outcome, toggleBlock } from '#blocking/toggle-block.ts';
import { unlock } from '#blocking/unlock.ts';
import type { IdentityDeps } from '#deps.ts';
import { tierOf } from '#users/tier.domain.ts';
import { selectAccounts } from '#users/user.store.ts';
import { toMerchant } from '#users/user.view.ts';
import { changeBusiness } from './change-business.ts';
import { createMerchantLists } from './list-merchants.ts';

const MerchantId = z.object({ id: z.uuid({ error: reason('merchant_not_found') }) });

/** Merchants, for administrators. */
export function merchantRoutes(app: HttpApp, deps: IdentityDeps): void {
  const noteReading = createReadRecorder(deps, '/vuka/identity');
  const listMerchants = createMerchantLists(deps.db);
  const noteViewed = (caller: Caller, { id, merchantId }: Pick<Merchant, 'id' | 'merchantId'>) =>
    noteReading({ caller, action: 'merchant.viewed', subject: { kind: 'user', id, label: merchantId } });
  /** The merchant after an order: one that changed nothing is a reading. */
  const answer = async (caller: Caller, { user, isChanged }: Outcome) => {
    deps.kickRelay();
    const merchant = toMerchant(user, deps.now());
    if (!isChanged) await noteViewed(caller, merchant);
    return merchant;
  };
  app.get(
    '/internal/merchants',
    { schema: { querystring: MerchantsQuery, response: { 200: MerchantPage } } },
    async (request) => {
      const caller = adminOf(request, 'merchants.read');
      const { merchants, ...page } = await listMerchants(request.query);
      await noteReading(readingOfList(caller, request.query, merchants));
      return { ...page, merchants: merchants.map((merchant) => toMerchant(merchant, deps.now())) };
    },
  );
  app.post(
    '/internal/merchants/:id/toggle-block',
    { schema: { params: MerchantId, body: BlockChange, response: { 200: Merchant } } },
    async (request) => {
      const caller = confirmedAdminOf(request, 'merchants.block');
      const done = await toggleBlock(deps, caller, { userId: request.params.id, isBlocked: request.body?.isBlocked });
      return answer(caller, done);
    },
  );
  app.post(
    '/internal/merchants/:id/unlock',
    { schema: { params: MerchantId, response: { 200: Merchant, 202: UnlockRequested } } },
    async (request, reply) => {
      const caller = confirmedAdminOf(request, 'merchants.block');
      const done = await unlock(deps, caller, request.params.id);
      if (!('request' in done)) return answer(caller, done);
      deps.kickRelay();
      return reply.code(202).send({ unlockRequest: done.request });
    },
  );
  app.get(
    '/internal/merchants/:id',
    { schema: { params: MerchantId, response: { 200: MerchantAccount } } },
    async (request) => {
      const caller = adminOf(request, 'merchants.read');
      const merchant = await merchantAccount(deps, request.params.id, caller);
      await noteViewed(caller, merchant);
      return merchant;
    },
  );
  app.post(
    '/internal/merchants/:id/business',
    { schema: { params: MerchantId, body: BusinessChange, response: { 200: MerchantAccount } } },
    async (request) => {
      const change = { userId: request.params.id, ...request.body };
      const caller = confirmedAdminOf(request, 'limits.change');
      await changeBusiness(deps, caller, change);
      deps.kickRelay();
      return merchantAccount(deps, request.params.id, caller);
    },
  );
}

/** The largest number of merchant ids that an audit entry lists. */
const MOST_NAMED = 20;

/** A list, or what a search found. The searched text is not recorded: it may be a number or a name. */
function readingOfList(caller: Caller, query: MerchantsQuery, found: readonly { id: string }[]): Reading {
  const { search = '', cursor = '', limit, sort } = query;
  const isSearch = search !== '';
  return {
    caller,
    action: isSearch ? 'merchants.searched' : 'merchants.listed',
    subject: { kind: 'user', id: 'merchants' },
    after: {
      shown: found.length,
      ...(isSearch ? { found: found.slice(0, MOST_NAMED).map(({ id }) => id) } : {}),
    },
    what: JSON.stringify([search, cursor, limit, sort]),
  };
}

/** Administrators are shown only to those who may read about them. */
async function merchantAccount(
  deps: IdentityDeps,
  id: string,
  { role }: Caller,
): Promise<z.infer<typeof MerchantAccount>> {
  const user = await selectAccounts(deps.db).where('users.id', '=', id).executeTakeFirst();
  if (!user || (user.is_admin && !mayDo(role, 'administrators.read'))) throw new AppError('merchant_not_found');
  const { max_pin_attempts: maxAttempts } = await deps.db
    .selectFrom('settings')
    .select('max_pin_attempts')
    .executeTakeFirstOrThrow();
  return {
    ...toMerchant(user, deps.now()),
    failedPinAttempts: user.pin_failed_attempts,
    maxPinAttempts: maxAttempts,
    tier: tierOf(user, deps.now()),
    isBusiness: user.is_business,
  };
}
