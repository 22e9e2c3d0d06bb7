import { callerOf, refuseOldFactor } from '@vuka/access/caller';
import { Ok } from '@vuka/contracts/http/common';
import { User } from '@vuka/contracts/http/signed-in-user';
import {
  OpenedSession,
  PinChange,
  ProfileChange,
  Registration,
  SignIn,
  SignOut,
} from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { idempotencyKeyOf } from '@vuka/service-kit/idempotency-key';
import type { IdentityDeps } from '#deps.ts';
import { announceSessionsEnded, hashToken } from '#sessions/session.store.ts';
import { findUser } from '#users/user.store.ts';
import { toUser } from '#users/user.view.ts';
import { changePin } from './change-pin.ts';
import { register } from './register.ts';
import { signIn } from './sign-in.ts';

export function accountRoutes(app: HttpApp, deps: IdentityDeps): void {
  app.post(
    '/internal/register',
    { schema: { body: Registration, response: { 201: OpenedSession } } },
    async (request, reply) => {
      const opened = await register(deps, request.body);
      request.log.info({ userId: opened.user.id, requestId: request.id }, 'registered');
      return reply.code(201).send(opened);
    },
  );
  app.post('/internal/login', { schema: { body: SignIn, response: { 200: OpenedSession } } }, async (request) => {
    const opened = await signIn(deps, request.body);
    request.log.info({ userId: opened.user.id, requestId: request.id }, 'signed in');
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
    const { userId } = callerOf(request);
    await deps.db
      .updateTable('users')
      .set({ default_currency: request.body.defaultCurrency, updated_at: deps.now() })
      .where('id', '=', userId)
      .execute();
    const user = await findUser(deps.db, userId);
    if (!user) throw new AppError('not_signed_in');
    return toUser(user);
  });
  app.post('/internal/change-pin', { schema: { body: PinChange, response: { 200: Ok } } }, async (request) => {
    const caller = callerOf(request);
    refuseOldFactor(caller);
    await changePin(deps, { caller, idempotencyKey: idempotencyKeyOf(request), ...request.body });
    deps.kickRelay();
    return { ok: true as const };
  });
}
