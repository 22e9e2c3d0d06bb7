import { Ok } from '@vuka/contracts/http/common';
import { LoginForm, RegisterForm, User } from '@vuka/contracts/http/users';
import {
  AccountHolder,
  ContactLookups,
  ContactResults,
  OpenedSession,
  PinChange,
  ProfileChange,
  RecipientLookups,
  RecipientResults,
  SignOut,
} from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { callerOf, type HttpApp } from '@vuka/service-kit/http-app';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { announceSessionsEnded, hashToken } from '#sessions/session.store.ts';
import { changePin } from './change-pin.ts';
import { register } from './register.ts';
import { type SignInDeps, signIn } from './sign-in.ts';
import { findUser, selectUsers } from './user.store.ts';
import { toUser } from './user.view.ts';

export interface UserRoutesDeps extends SignInDeps {
  tokens: InternalTokens;
  /** Sends what the outbox holds. */
  kickRelay: () => void;
}

export function accountRoutes(app: HttpApp, deps: UserRoutesDeps): void {
  app.post(
    '/internal/register',
    { schema: { body: RegisterForm, response: { 201: OpenedSession } } },
    async (request, reply) => reply.code(201).send(await register(deps, request.body)),
  );
  app.post('/internal/login', { schema: { body: LoginForm, response: { 200: OpenedSession } } }, async (request) => {
    const opened = await signIn(deps, request.body);
    deps.kickRelay();
    return opened;
  });
  app.post('/internal/logout', { schema: { body: SignOut, response: { 200: Ok } } }, async (request) => {
    await deps.db.transaction().execute(async (trx) => {
      const hash = hashToken(request.body.token);
      const ended = await trx
        .deleteFrom('sessions')
        .where('id_hash', '=', hash)
        .returning('user_id')
        .executeTakeFirst();
      if (ended) await announceSessionsEnded(trx, { userId: ended.user_id, reason: 'signed_out' });
    });
    deps.kickRelay();
    return { ok: true as const };
  });
  app.post('/internal/profile', { schema: { body: ProfileChange, response: { 200: User } } }, async (request) => {
    const { userId } = callerOf(request, deps.tokens);
    await deps.db
      .updateTable('users')
      .set({ default_currency: request.body.defaultCurrency, updated_at: deps.now() })
      .where('id', '=', userId)
      .execute();
    const user = await findUser(deps.db, userId);
    if (!user) throw new AppError('unauthenticated', 'Please sign in.');
    return toUser(user);
  });
  app.post('/internal/change-pin', { schema: { body: PinChange, response: { 200: Ok } } }, async (request) => {
    await changePin(deps, { caller: callerOf(request, deps.tokens), ...request.body });
    deps.kickRelay();
    return { ok: true as const };
  });
}

export function directoryRoutes(app: HttpApp, deps: UserRoutesDeps): void {
  app.get(
    '/internal/account-holders/:id',
    { schema: { params: z.object({ id: z.string() }), response: { 200: AccountHolder } } },
    async (request) => {
      const holder = await selectUsers(deps.db)
        .where((where) =>
          where.or([
            where('merchants.merchant_id', '=', request.params.id),
            where('admins.admin_id', '=', request.params.id),
          ]),
        )
        .executeTakeFirst();
      if (!holder) throw new AppError('not_found', 'Merchant not found');
      return { userId: holder.id, fullName: holder.full_name, phone: holder.phone, isBlocked: holder.is_blocked };
    },
  );
  app.post(
    '/internal/recipients-batch',
    { schema: { body: RecipientLookups, response: { 200: RecipientResults } } },
    async (request) => {
      const phones = request.body.items.map((item) => item.phone);
      const holders = await deps.db
        .selectFrom('users')
        .select(['id', 'full_name', 'phone_e164'])
        .where('phone_e164', '=', sql<string>`any(${phones})`)
        .where('is_active', '=', true)
        .where('is_blocked', '=', false)
        .execute();
      return {
        results: phones.map((phone) => {
          const matching = holders.filter((holder) => holder.phone_e164 === phone);
          const [holder] = matching;
          // A number that two accounts claim says nothing about whose it is: it is paid as a phone.
          return holder && matching.length === 1 ? { userId: holder.id, name: holder.full_name } : null;
        }),
      };
    },
  );
}

/** Where users can be reached, for the service that writes to them. */
export function contactRoutes(app: HttpApp, deps: UserRoutesDeps): void {
  app.post(
    '/internal/contacts-batch',
    { schema: { body: ContactLookups, response: { 200: ContactResults } } },
    async (request) => {
      const ids = request.body.items.map(({ userId }) => userId);
      const users = await deps.db
        .selectFrom('users')
        .select(['id', 'full_name', 'email', 'phone_e164'])
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      const byId = new Map(users.map((user) => [user.id, user]));
      return {
        results: ids.map((id) => {
          const user = byId.get(id);
          return user ? { fullName: user.full_name, email: user.email, phone: user.phone_e164 } : null;
        }),
      };
    },
  );
}
