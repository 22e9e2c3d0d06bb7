import { type AuditTrail, AuditTrailQuery } from '@vuka/contracts/http/audit-trail';
import type { MerchantDetail } from '@vuka/contracts/http/merchants';
import { DeadMessageFilter, type Queues, RedriveDeadMessages, SettleDeadMessage } from '@vuka/contracts/http/queues';
import type { ProviderInquiry } from '@vuka/contracts/http/recovery';
import { TransfersToQuery } from '@vuka/contracts/http/transfers-to';
import { reason } from '@vuka/contracts/texts/reason';
import { wholePhones } from '@vuka/money/whole-phones';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { PIN } from './fixtures.ts';
import { merchantFigures, recoveryOf } from './operations-fixtures.ts';
import type { World } from './world.ts';

/** Audit trail, queues, one merchant, and the preview of a retry. */
export function operationsHandlers(world: World) {
  return [...auditHandlers(world), ...queueHandlers(world), ...merchantHandlers(world), ...recoveryHandlers(world)];
}

function auditHandlers(world: World) {
  return [
    http.get('*/api/admin/audit-trail', ({ request }) => {
      const query = z.parse(AuditTrailQuery, Object.fromEntries(new URL(request.url).searchParams));
      const { action, actor, subject, q, limit, cursor } = query;
      const has = (text: unknown, part: string | undefined) =>
        !part || JSON.stringify(text).toLowerCase().includes(part.toLowerCase());
      const found = world.auditEntries.filter(
        (entry) =>
          (!action || entry.action === action) &&
          has(entry.actor, actor) &&
          has(entry.subject, subject) &&
          has(entry, q),
      );
      const start = found.findIndex(({ id }) => id === cursor) + 1;
      const entries = found.slice(start, start + limit);
      const nextCursor = start + limit < found.length ? (entries.at(-1)?.id ?? null) : null;
      return HttpResponse.json<AuditTrail>({ entries, nextCursor });
    }),
  ];
}

function queueHandlers(world: World) {
  return [
    http.get('*/api/admin/queues', () =>
      HttpResponse.json<Queues>({ connected: world.busConnected, queues: world.queues }),
    ),
    http.get('*/api/admin/redrives', () => HttpResponse.json({ redrives: world.redrives })),
    http.get('*/api/admin/queues/:name/dead/matching', ({ request }) => {
      const { diedOf } = z.parse(DeadMessageFilter, Object.fromEntries(new URL(request.url).searchParams));
      return HttpResponse.json({ matching: world.deadMessages.filter(({ reason }) => reason.includes(diedOf)).length });
    }),
    http.post('*/api/admin/queues/:name/dead/redrive', async ({ params, request }) => {
      const { pin, diedOf, perSecond } = z.parse(RedriveDeadMessages, await request.json());
      if (pin !== PIN) return wrongPin();
      const matching = world.deadMessages.filter(({ reason }) => reason.includes(diedOf)).length;
      const startedAt = '2026-05-10T09:00:00.000Z';
      const redrive = { id: 'r1', queue: String(params.name), matching, moved: 0, perSecond, startedAt, endedAt: null };
      world.redrives = [redrive, ...world.redrives];
      return HttpResponse.json(redrive, { status: 202 });
    }),
    http.get('*/api/admin/queues/:name/dead', () => HttpResponse.json({ messages: world.deadMessages })),
    http.post('*/api/admin/queues/:name/dead/:id/:to', async ({ params, request }) => {
      const { reason: why, pin } = z.parse(SettleDeadMessage, await request.json());
      if (pin !== PIN) return wrongPin();
      const { id, to } = params;
      if (!world.deadMessages.some((message) => message.id === id)) {
        return errorAnswer('not_found', reason('dead_message_not_found'));
      }
      world.deadMessages = world.deadMessages.filter((message) => message.id !== id);
      world.settled.push({ id: String(id), to: String(to), reason: why });
      return HttpResponse.json({ ok: true });
    }),
  ];
}

function merchantHandlers(world: World) {
  const find = (id: unknown) => world.merchants.find((merchant) => merchant.id === id);
  return [
    http.get('*/api/admin/merchants/:id', ({ params }) => {
      const merchant = find(params.id);
      if (!merchant) return errorAnswer('not_found', reason('merchant_not_found'));
      const pin = { failedPinAttempts: 0, maxPinAttempts: world.systemSettings.maxPinAttempts };
      const limits = { tier: 'unverified' as const, isBusiness: false };
      return HttpResponse.json<MerchantDetail>({ ...merchantFigures, merchant: { ...merchant, ...pin, ...limits } });
    }),
    http.post('*/api/admin/merchants/:id/unlock', ({ params }) => {
      const merchant = find(params.id);
      if (!merchant) return errorAnswer('not_found', reason('merchant_not_found'));
      merchant.lockedUntil = null;
      return HttpResponse.json(merchant);
    }),
  ];
}

/** The cursor is the number of previous rows. */
function transfersTo(world: World, asked: URLSearchParams) {
  const { recipient, limit } = z.parse(TransfersToQuery, { recipient: asked.get('recipient') });
  const phones = wholePhones(recipient);
  const found = world.transactions.filter(({ recipientPhone }) => phones.includes(recipientPhone ?? ''));
  const from = Number(asked.get('cursor') ?? 0);
  const next = new URLSearchParams({ recipient, cursor: String(from + limit) });
  const link = from + limit < found.length ? { link: `</api/admin/transactions?${next}>; rel="next"` } : {};
  return HttpResponse.json(found.slice(from, from + limit), { headers: link });
}

function recoveryHandlers(world: World) {
  return [
    http.get('*/api/admin/transactions', ({ request }) => transfersTo(world, new URL(request.url).searchParams)),
    http.get('*/api/admin/transactions/:id/recovery', ({ params }) => HttpResponse.json(recoveryOf(String(params.id)))),
    http.post('*/api/admin/transactions/:id/recovery/inquire', () =>
      HttpResponse.json<ProviderInquiry>({
        askedAt: new Date().toISOString(),
        answer: 'found',
        state: 'processing',
        failureCode: null,
        detail: null,
      }),
    ),
  ];
}
