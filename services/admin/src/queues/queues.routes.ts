import { adminOf, decidingAdminOf } from '@vuka/access/caller';
import { createReadRecorder } from '@vuka/access/reads';
import { Ok } from '@vuka/contracts/http/common';
import {
  DeadMessageFilter,
  DeadMessageReason,
  DeadMessages,
  DeadMessagesQuery,
  MatchingDeadMessages,
  type QueueFigures,
  Queues,
  Redrive,
  RedriveOrder,
  Redrives,
} from '@vuka/contracts/http/queues';
import { reason } from '@vuka/contracts/texts/reason';
import { topology } from '@vuka/contracts/topology';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { QueueStats } from '@vuka/service-kit/messaging/message-bus';
import * as z from 'zod/mini';
import { countMatching, listMatching, listRedrives, startRedrive } from './redrive.ts';
import { type DeadMessageDeps, settleDeadMessage } from './settle-dead-message.ts';

export interface QueueRoutesDeps extends DeadMessageDeps {}

const QueueName = z.object({ name: z.string() });
const DeadMessageName = z.object({
  name: z.string(),
  id: z.string().check(z.maxLength(200)),
  to: z.enum(['requeue', 'drop'], { error: reason('dead_message_move_unknown') }),
});

export function queueRoutes(app: HttpApp, deps: QueueRoutesDeps): void {
  const { bus } = deps;
  const noteReading = createReadRecorder(deps, '/vuka/admin');
  redriveRoutes(app, deps);
  app.get('/internal/queues', { schema: { response: { 200: Queues } } }, async (request) => {
    adminOf(request, 'queues.read');
    const { connected } = bus.health();
    const stats = connected ? await bus.stats().catch(() => []) : [];
    return { connected, queues: topology.queues.map(({ name }) => toFigures(name, stats)) };
  });
  app.get(
    '/internal/queues/:name/dead',
    { schema: { params: QueueName, querystring: DeadMessagesQuery, response: { 200: DeadMessages } } },
    async (request) => {
      const caller = adminOf(request, 'queues.read');
      const name = queueWithDead(request.params.name);
      const messages = await listMatching(deps, name, request.query);
      const shown = messages.length;
      if (shown > 0) {
        const subject = { kind: 'queue' as const, id: name };
        const what = messages.map(({ id }) => id).join();
        await noteReading({ caller, action: 'dead-messages.viewed', subject, after: { shown }, what });
      }
      return {
        messages: messages.map(({ diedAt, ...message }) => ({ ...message, diedAt: diedAt?.toISOString() ?? null })),
      };
    },
  );
  app.post(
    '/internal/queues/:name/dead/:id/:to',
    { schema: { params: DeadMessageName, body: DeadMessageReason, response: { 200: Ok } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'queues.settle');
      const { name, id, to } = request.params;
      const { reason } = request.body;
      await settleDeadMessage(deps, { caller, queue: queueWithDead(name), messageId: id, to, reason });
      return { ok: true as const };
    },
  );
}

/** Many dead messages at a time. */
function redriveRoutes(app: HttpApp, deps: QueueRoutesDeps): void {
  app.get('/internal/redrives', { schema: { response: { 200: Redrives } } }, async (request) => {
    adminOf(request, 'queues.read');
    return { redrives: await listRedrives(deps) };
  });
  app.get(
    '/internal/queues/:name/dead/matching',
    { schema: { params: QueueName, querystring: DeadMessageFilter, response: { 200: MatchingDeadMessages } } },
    async (request) => {
      adminOf(request, 'queues.read');
      return { matching: await countMatching(deps, queueWithDead(request.params.name), request.query) };
    },
  );
  app.post(
    '/internal/queues/:name/dead/redrive',
    { schema: { params: QueueName, body: RedriveOrder, response: { 200: Redrive } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'queues.settle');
      const { reason, perSecond, ...filter } = request.body;
      return startRedrive(deps, { caller, queue: queueWithDead(request.params.name), filter, perSecond, reason });
    },
  );
}

function queueWithDead(name: string): string {
  const queue = topology.queues.find((declared) => declared.name === name);
  if (!queue) throw new AppError('queue_not_found');
  if (queue.maxLength !== undefined) throw new AppError('queue_keeps_no_dead');
  return name;
}

function toFigures(name: string, stats: readonly QueueStats[]): QueueFigures {
  const known = stats.find(({ queue }) => queue === name);
  const keepsDead = topology.queues.some((queue) => queue.name === name && queue.maxLength === undefined);
  return {
    name,
    ready: known?.ready ?? null,
    unacknowledged: known?.unacked ?? null,
    delayed: known?.delayed ?? null,
    dead: keepsDead ? (known?.dead ?? null) : null,
    consumers: known?.consumers ?? null,
    inPerSecond: known?.inPerSecond ?? null,
    outPerSecond: known?.outPerSecond ?? null,
    oldestSeconds: known?.oldestAgeMs === undefined || known.oldestAgeMs === null ? null : known.oldestAgeMs / 1_000,
    keepsDead,
  };
}
