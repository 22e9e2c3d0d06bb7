import { Readable } from 'node:stream';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { dayOf } from '@vuka/contracts/http/days';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/api-deps.ts';
import { AnyId, knownForm } from '#api/ids.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';
import { readExportHead, writeExport } from './write-export.ts';

const produces = ['application/json'];

/** A copy of everything that is held about a merchant, for themselves or for an administrator whom they asked. */
export function exportRoutes(app: HttpApp, { sessions, services, limits }: ApiDeps): void {
  async function send(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    account: Parameters<typeof readExportHead>[1],
  ) {
    const { userId } = account;
    const start = await readExportHead(services, account);
    const renew = async () => (await sessions.requireInBackground(request)).caller;
    const file = `vuka-data-${dayOf(Date.parse(start.head.madeAt))}.json`;
    reply.type('application/json; charset=utf-8').header('content-disposition', `attachment; filename="${file}"`);
    return reply.send(Readable.from(writeExport(services, start, { userId, renew })));
  }

  app.post(
    '/api/account/export',
    { schema: { tags: ['account'], summary: 'Download all own data', body: PinConfirmation, produces } },
    async (request, reply) => {
      const { user, caller } = await sessions.require(request, request.body.pin);
      limits.allowExport(user.id);
      return send({ request, reply }, { userId: user.id, caller, isOwn: true });
    },
  );
  app.post(
    '/api/admin/merchants/:id/export',
    {
      schema: {
        tags: [ADMIN_TAG],
        summary: 'Download all data of a merchant who asked for it',
        params: AnyId,
        body: PinConfirmation,
        produces,
      },
    },
    async (request, reply) => {
      const { user, caller } = await sessions.requireAdmin(request, request.body.pin);
      limits.allowExport(user.id);
      const userId = knownForm(request.params.id, 'merchant_not_found');
      return send({ request, reply }, { userId, caller, isOwn: userId === user.id });
    },
  );
}
