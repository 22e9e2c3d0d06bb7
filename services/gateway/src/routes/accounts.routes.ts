import { Ok } from '@vuka/contracts/http/common';
import { LoginRequest, ProfileUpdate, RegisterRequest, User } from '@vuka/contracts/http/users';
import { OpenedSession } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { SESSION_COOKIE, sessionTokenOf, setSessionCookie } from '#access/sessions.ts';
import type { ApiDeps } from '#api/api-deps.ts';

/** Registration, signing in and out, the user's own account. */
export function accountRoutes(app: HttpApp, { sessions, services, signIns, limits }: ApiDeps): void {
  const tags = ['account'];
  app.post(
    '/api/login',
    {
      schema: { tags, security: [], summary: 'Sign in', body: LoginRequest, response: { 200: User } },
      config: limits.signIn,
    },
    async (request, reply) => {
      const opened = await signIns.post('/internal/login', request.body, OpenedSession, {
        requestId: request.id,
      });
      setSessionCookie(request, reply, opened.token);
      return opened.user;
    },
  );
  app.post(
    '/api/register',
    {
      schema: { tags, security: [], summary: 'Register a merchant', body: RegisterRequest, response: { 201: User } },
      config: limits.signIn,
    },
    async (request, reply) => {
      const opened = await signIns.post('/internal/register', request.body, OpenedSession, {
        requestId: request.id,
      });
      setSessionCookie(request, reply, opened.token);
      return reply.code(201).send(opened.user);
    },
  );
  app.post(
    '/api/logout',
    { schema: { tags, security: [], summary: 'Sign out', response: { 200: Ok } } },
    async (request, reply) => {
      const token = sessionTokenOf(request);
      if (token) await services.identity.post('/internal/logout', { token }, Ok);
      reply.clearCookie(SESSION_COOKIE, { path: '/' });
      return { ok: true as const };
    },
  );
  app.get(
    '/api/user',
    { schema: { tags, summary: 'The signed-in user', response: { 200: User } } },
    async (request) => {
      return (await sessions.require(request)).user;
    },
  );
  app.patch(
    '/api/profile',
    { schema: { tags, summary: "Change the user's own profile", body: ProfileUpdate, response: { 200: User } } },
    async (request) => {
      const { callerToken } = await sessions.require(request);
      return services.identity.post('/internal/profile', request.body, User, { caller: callerToken });
    },
  );
}
