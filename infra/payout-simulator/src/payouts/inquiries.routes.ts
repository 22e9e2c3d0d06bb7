import { createBatcher } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { failureReason, ID_FIELDS, toPayout } from '#answers/payout.view.ts';
import { sendAgain } from '#callbacks/callback.store.ts';
import type { PayoutRow } from '#db/schema.ts';
import { isFinal } from '#effects/plan.domain.ts';
import { spoiledInquiry } from './bad-answers.ts';
import type { Kind } from './initiation.domain.ts';
import { cancelEnqueued, findPayouts } from './payout.store.ts';
import type { PayoutDeps } from './payouts.routes.ts';

const Params = z.object({ id: z.string() });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PATHS = { payout: '/v2/payouts', remittance: '/v2/remittances' } as const;

interface Inquiries extends PayoutDeps {
  kind: Kind;
  find: (kind: Kind, id: string) => Promise<PayoutRow | undefined>;
}

/** Inquiries about payouts, and operations on accepted ones. */
export function inquiryRoutes(app: HttpApp, deps: PayoutDeps): void {
  const finding = createBatcher<string, PayoutRow | undefined>({ run: (ids) => findPayouts(deps.db, ids) });
  const find = async (kind: Kind, id: string) => {
    if (!UUID.test(id)) return undefined;
    const row = await finding.submit(id.toLowerCase());
    return row?.kind === kind ? row : undefined;
  };
  for (const kind of ['payout', 'remittance'] as const) {
    statusRoute(app, { ...deps, kind, find });
    app.post(`${PATHS[kind]}/resend-callback/:id`, { schema: { params: Params } }, (request) =>
      resendCallback({ ...deps, kind, find }, request.params.id),
    );
    app.post(`${PATHS[kind]}/fail-enqueued/:id`, { schema: { params: Params } }, (request) =>
      failEnqueued({ ...deps, kind, find }, request.params.id),
    );
  }
}

function statusRoute(app: HttpApp, { kind, find, now }: Inquiries): void {
  const inquiries = new Map<string, number>();
  app.get(`${PATHS[kind]}/:id`, { schema: { params: Params } }, async (request, reply) => {
    const { id } = request.params;
    if (!UUID.test(id)) return reply.code(400).send(failureReason('INVALID_PARAMETER', 'The id is not a UUID'));
    const row = await find(kind, id);
    if (!row) return { status: 'NOT_FOUND' };
    const ageMs = now().getTime() - row.created_at.getTime();
    const asked = row.effects.length > 0 ? { inquiries: countInquiry(inquiries, id), ageMs } : undefined;
    const spoiled = asked && spoiledInquiry(row.effects, asked);
    if (spoiled?.name === 'not_found_first') return { status: 'NOT_FOUND' };
    if (spoiled?.name === 'status_down') return reply.code(503).type('text/html').send('<html>503</html>');
    const isUnknown = spoiled?.name === 'unknown_status';
    return { status: 'FOUND', data: { ...toPayout(row), ...(isUnknown ? { status: 'TELEPORTED' } : {}) } };
  });
}

async function resendCallback({ db, now, sender, kind, find }: Inquiries, id: string) {
  const row = await find(kind, id);
  if (!row || !isFinal(row.status)) return refused(kind, id, row ? 'INVALID_STATE' : 'NOT_FOUND');
  // Waits until the result of an attempt in flight is written, which would otherwise overwrite this change.
  await sender?.whenSent(row.id);
  void sender?.send(await sendAgain(db, row.id, now()));
  return { [ID_FIELDS[kind]]: row.id, status: 'ACCEPTED' };
}

async function failEnqueued({ db, now, sender, kind, find }: Inquiries, id: string) {
  const row = await find(kind, id);
  if (!row) return refused(kind, id, 'NOT_FOUND');
  const cancelled = await cancelEnqueued(db, row.id, { now: now(), sendsCallbacks: sender !== undefined });
  if (!cancelled) return refused(kind, id, 'INVALID_STATE');
  if (cancelled.callback_due_at) void sender?.send([cancelled]);
  return { [ID_FIELDS[kind]]: row.id, status: 'ACCEPTED' };
}

function refused(kind: Kind, id: string, code: string) {
  return { [ID_FIELDS[kind]]: id, status: 'REJECTED', ...failureReason(code) };
}

function countInquiry(inquiries: Map<string, number>, id: string): number {
  const count = (inquiries.get(id) ?? 0) + 1;
  inquiries.set(id, count);
  return count;
}
