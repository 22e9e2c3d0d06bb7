import { Ok } from '@vuka/contracts/http/common';
import { User } from '@vuka/contracts/http/signed-in-user';
import { LoginRequest, ProfileUpdate, RegisterRequest } from '@vuka/contracts/http/users';
import { OpenedSession } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/api-deps.ts';
import { createDeviceChecks } from '#api/known-devices.ts';
import {
  browserOf,
  clearSessionCookie,
  deviceTokenOf,
  sessionTokenOf,
  setDeviceCookie,
  setSessionCookie,
} from '#guards/cookies.ts';

/** Registration, signing in and out, the user's own account. */
export function accountRoutes(app: HttpApp, { sessions, services, signIns, limits }: ApiDeps): void {
  const tags = ['account'];
  const isKnown = createDeviceChecks(signIns);

  async function endSession(token: string): Promise<void> {
    await services.identity.post('/internal/logout', { token }, Ok);
    sessions.ended(token);
  }

  async function open(request: FastifyRequest, reply: FastifyReply, path: string): Promise<User> {
    const body = { ...(request.body as object), browser: browserOf(request) };
    const former = sessionTokenOf(request);
    const opened = await signIns.post(path, body, OpenedSession, { requestId: request.id });
    // The new cookie replaces the former session's, and nobody could sign out of that session any more. If this call
    // fails, the session expires by itself.
    if (former) await endSession(former).catch(() => undefined);
    sessions.opened(opened.token);
    setSessionCookie(request, reply, opened.token);
    if (opened.device) setDeviceCookie(request, reply, opened.device);
    return opened.user;
  }

  app.post(
    '/api/login',
    {
      schema: { tags, security: [], summary: 'Sign in', body: LoginRequest, response: { 200: User } },
      config: limits.signIn,
    },
    async (request, reply) => {
      const { username } = request.body;
      const device = deviceTokenOf(request);
      // A stranger can invent any number of devices, and must not use up the sign-ins of a network's own ones.
      const isOnKnown = device !== undefined && (await isKnown({ username, device }));
      limits.allowSignIn(request.ip, isOnKnown ? username : undefined);
      return open(request, reply, '/internal/login');
    },
  );
  app.post(
    '/api/register',
    {
      schema: { tags, security: [], summary: 'Register a merchant', body: RegisterRequest, response: { 201: User } },
      config: limits.registrationOrCode,
    },
    async (request, reply) => {
      const count = limits.allowRegistration(request.ip);
      const user = await open(request, reply, '/internal/register');
      count();
      return reply.code(201).send(user);
    },
  );
  app.post(
    '/api/logout',
    { schema: { tags, security: [], summary: 'Sign out', response: { 200: Ok } } },
    async (request, reply) => {
      const token = sessionTokenOf(request);
      if (token) await endSession(token);
      clearSessionCookie(request, reply);
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
      const { caller } = await sessions.require(request);
      return services.identity.post('/internal/profile', request.body, User, { caller });
    },
  );
}
