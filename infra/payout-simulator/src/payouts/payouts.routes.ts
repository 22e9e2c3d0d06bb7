import { setTimeout as delay } from 'node:timers/promises';
import { type Batcher, createBatcher } from '@vuka/service-kit/batcher';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureReason, ID_FIELDS } from '#answers/payout.view.ts';
import type { CallbackSender } from '#callbacks/callback-sender.ts';
import { rejectionOf, type Scenarios } from '#control/scenarios.ts';
import type { Db, PayoutRow } from '#db/schema.ts';
import { type Effect, findEffect, numberOf } from '#effects/effect.domain.ts';
import { planOf } from '#effects/plan.domain.ts';
import type { Networks } from '#networks/networks.ts';
import type { BadAnswers } from './bad-answers.ts';
import type { Engine } from './engine.ts';
import { type Initiation, type Kind, type Refusal, readInitiation } from './initiation.domain.ts';
import { type Acceptance, acceptPayouts, type NewPayout } from './payout.store.ts';

export interface PayoutDeps {
  db: Db;
  now: () => Date;
  delayMs: number;
  networks: Networks;
  scenarios: Scenarios;
  engine: Engine;
  sender: CallbackSender | undefined;
  badAnswers: BadAnswers;
}

const BULK_LIMIT = 20;
const PATHS = { payout: '/v2/payouts', remittance: '/v2/remittances' } as const;

export function initiationRoutes(app: HttpApp, deps: PayoutDeps): void {
  const accepting = createBatcher<NewPayout, Acceptance>({ run: (payouts) => acceptPayouts(deps.db, payouts) });
  for (const kind of ['payout', 'remittance'] as const) {
    app.post(PATHS[kind], (request, reply) => initiate({ ...deps, accepting, kind }, request, reply));
    app.post(`${PATHS[kind]}/bulk`, async (request, reply) => {
      const items = request.body;
      if (!Array.isArray(items) || items.length === 0 || items.length > BULK_LIMIT) {
        return reply.code(400).send(failureReason('INVALID_INPUT', `Send an array of 1 to ${BULK_LIMIT}`));
      }
      return Promise.all(items.map(async (item) => (await take({ ...deps, accepting, kind }, item)).body));
    });
  }
}

interface InitiateDeps extends PayoutDeps {
  accepting: Batcher<NewPayout, Acceptance>;
  kind: Kind;
}

async function initiate(deps: InitiateDeps, request: FastifyRequest, reply: FastifyReply) {
  const initiation = readInitiation(deps.kind, request.body, deps.networks.stateOf);
  if ('code' in initiation) return reply.code(initiation.status).send(refusal(deps, initiation));
  const effects = deps.scenarios.meet(toRequest(initiation));
  const latency = findEffect(effects, 'latency');
  if (latency) await delay(numberOf(latency, 'ms', 3_000));
  if (deps.badAnswers.before(effects, request, reply)) return reply;
  const body = await accept(deps, initiation, effects);
  if (findEffect(effects, 'callback_before_response')) {
    await deps.engine.advance();
    await deps.sender?.whenSent(initiation.id);
  }
  if (deps.badAnswers.after(effects, reply, body)) return reply;
  return reply.send(body);
}

/** Accepts one item of a bulk request. Only effects on the payout itself apply to it. */
async function take(deps: InitiateDeps, item: unknown): Promise<{ body: Record<string, unknown> }> {
  const initiation = readInitiation(deps.kind, item, deps.networks.stateOf);
  if ('code' in initiation) return { body: { ...refusal(deps, initiation), status: 'REJECTED' } };
  return { body: await accept(deps, initiation, deps.scenarios.meet(toRequest(initiation))) };
}

const toRequest = ({ id, msisdn, network }: Initiation) => ({ id, msisdn, currency: network.currency });

function refusal({ kind, now }: InitiateDeps, { status, id, code, message }: Refusal): Record<string, unknown> {
  const reason = failureReason(code, message);
  if (status === 400) return reason;
  return { [ID_FIELDS[kind]]: id, status: 'REJECTED', created: now().toISOString(), ...reason };
}

async function accept(deps: InitiateDeps, initiation: Initiation, effects: Effect[]): Promise<Record<string, unknown>> {
  const at = deps.now();
  const answer = { [ID_FIELDS[deps.kind]]: initiation.id, created: at.toISOString() };
  const rejection = rejectionOf(effects);
  if (rejection) return { ...answer, status: 'REJECTED', ...failureReason(rejection) };
  const row = toRow(deps, { initiation, effects, at });
  const result = await deps.accepting.submit(row);
  if (result === 'out_of_funds') {
    return { ...answer, status: 'REJECTED', ...failureReason('PAWAPAY_WALLET_OUT_OF_FUNDS') };
  }
  if (result === 'duplicate') return { ...answer, status: 'DUPLICATE_IGNORED' };
  deps.engine.wakeAt(row.step_at ?? at);
  return { ...answer, status: 'ACCEPTED' };
}

function toRow(deps: InitiateDeps, taken: { initiation: Initiation; effects: Effect[]; at: Date }): NewPayout {
  const { initiation, effects, at } = taken;
  const { network, msisdn } = initiation;
  const isDelayed = deps.networks.stateOf(network.network).status === 'DELAYED';
  const steps: PayoutRow['steps'] = planOf({ msisdn, effects, delayMs: deps.delayMs, isDelayed });
  return {
    id: initiation.id,
    kind: initiation.kind,
    amount: initiation.amount,
    currency: network.currency,
    country: network.country,
    msisdn,
    network: network.network,
    request: initiation.request,
    created_at: at,
    steps,
    step_at: steps[0] ? new Date(at.getTime() + steps[0].afterMs) : null,
    effects,
  };
}
