import { Ok } from '@vuka/contracts/http/common';
import {
  DeadMessageFilter,
  DeadMessages,
  DeadMessagesQuery,
  MatchingDeadMessages,
  Queues,
  Redrive,
  RedriveDeadMessages,
  Redrives,
  SettleDeadMessage,
} from '@vuka/contracts/http/queues';
import { reason } from '@vuka/contracts/texts/reason';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { ApiDeps } from '#api/api-deps.ts';
import { searchParams } from '#api/search-params.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];
const QueueName = z.object({
  name: z.string().check(z.regex(/^[a-z][a-z.-]{0,80}$/, { error: reason('queue_not_found') })),
});
const DeadMessageId = z.extend(QueueName, { id: z.string().check(z.minLength(1), z.maxLength(200)) });
const pathOf = ({ name, id }: z.infer<typeof DeadMessageId>) =>
  `/internal/queues/${name}/dead/${encodeURIComponent(id)}`;

/** The queues between the services, and their dead messages. */
export function queueRoutes(app: HttpApp, deps: ApiDeps): void {
  const { sessions, services } = deps;
  redriveRoutes(app, deps);
  app.get(
    '/api/admin/queues',
    { schema: { tags, summary: 'The current figures of every queue', response: { 200: Queues } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.get('/internal/queues', Queues, { caller });
    },
  );
  app.get(
    '/api/admin/queues/:name/dead',
    { schema: { tags, params: QueueName, querystring: DeadMessagesQuery, response: { 200: DeadMessages } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/queues/${request.params.name}/dead?${searchParams(request.query)}`;
      return services.admin.get(path, DeadMessages, { caller });
    },
  );
  for (const to of ['requeue', 'drop'] as const) {
    app.post(
      `/api/admin/queues/:name/dead/:id/${to}`,
      { schema: { tags, params: DeadMessageId, body: SettleDeadMessage, response: { 200: Ok } } },
      async (request) => {
        const { pin, ...body } = request.body;
        const { caller } = await sessions.requireAdmin(request, pin);
        return services.admin.post(`${pathOf(request.params)}/${to}`, body, Ok, { caller });
      },
    );
  }
}

/** Many dead messages at a time. */
function redriveRoutes(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get(
    '/api/admin/redrives',
    { schema: { tags, summary: 'How far redrives of dead messages are', response: { 200: Redrives } } },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      return services.admin.get('/internal/redrives', Redrives, { caller });
    },
  );
  app.get(
    '/api/admin/queues/:name/dead/matching',
    {
      schema: {
        tags,
        summary: 'How many dead messages a redrive would move',
        params: QueueName,
        querystring: DeadMessageFilter,
        response: { 200: MatchingDeadMessages },
      },
    },
    async (request) => {
      const { caller } = await sessions.requireAdmin(request);
      const path = `/internal/queues/${request.params.name}/dead/matching?${searchParams(request.query)}`;
      return services.admin.get(path, MatchingDeadMessages, { caller });
    },
  );
  app.post(
    '/api/admin/queues/:name/dead/redrive',
    {
      schema: {
        tags,
        summary: 'Send many dead messages again, some every second',
        params: QueueName,
        body: RedriveDeadMessages,
        response: { 202: Redrive },
      },
    },
    async (request, reply) => {
      const { pin, ...body } = request.body;
      const { caller } = await sessions.requireAdmin(request, pin);
      const path = `/internal/queues/${request.params.name}/dead/redrive`;
      return reply.code(202).send(await services.admin.post(path, body, Redrive, { caller }));
    },
  );
}
