import { PinConfirmation } from '@vuka/contracts/http/common';
import {
  type LimitProposals,
  type Proposal,
  type RaisedLimit,
  type RateProposal,
  type RateProposals,
  RefuseProposal,
} from '@vuka/contracts/http/proposals';
import { SystemSettingsChange } from '@vuka/contracts/http/settings';
import { reason } from '@vuka/contracts/texts/reason';
import { HttpResponse, http } from 'msw';
import * as z from 'zod/mini';
import { errorAnswer, wrongPin } from './error-answer.ts';
import { PIN } from './fixtures.ts';
import { pageOf } from './page-of.ts';
import { ownProposal, type ProposalWorld } from './proposal-fixtures.ts';
import type { World } from './world.ts';

export function proposalHandlers(world: World) {
  return [
    ...reviewHandlers(world, 'rateProposals', 'rate-proposals'),
    ...reviewHandlers(world, 'limitProposals', 'limit-proposals'),
    ...reviewHandlers(world, 'tierLimitProposals', 'tier-limit-proposals'),
    settingsHandler(world),
  ];
}

/** A rate proposal, if the rate changes by more than half. */
export function proposeRate(world: World, after: RateProposal['after']): RateProposal | undefined {
  const { buyRate, markup, kesToTzs, tzsToKes } = world.rates;
  const before = { buyRate, markup, kesToTzs, tzsToKes };
  const names = ['buyRate', 'kesToTzs', 'tzsToKes'] as const;
  const isLarge = names.some((name) => after[name] < before[name] / 2 || after[name] > before[name] * 1.5);
  if (!isLarge || world.rateHistory.length === 0) return undefined;
  const proposal = { ...ownProposal(7410), before, after };
  world.rateProposals = [proposal];
  return proposal;
}

function settingsHandler(world: World) {
  return http.post('*/api/admin/system-settings', async ({ request }) => {
    const { pin: _, replaces: __, ...settings } = z.parse(SystemSettingsChange, await request.json());
    const asked = { withdrawal: settings.withdrawalApprovalLimit, credit: settings.creditApprovalLimit };
    const inForce = {
      withdrawal: { ...world.systemSettings.withdrawalApprovalLimit } as Record<string, string>,
      credit: { ...world.systemSettings.creditApprovalLimit } as Record<string, string>,
    };
    const limits: RaisedLimit[] = [];
    for (const kind of ['withdrawal', 'credit'] as const) {
      for (const [name, to] of Object.entries(asked[kind] ?? {})) {
        const from = inForce[kind][name] ?? '0';
        const currency = name as RaisedLimit['currency'];
        if (Number(to) > Number(from)) limits.push({ kind, currency, from, to });
        else inForce[kind][name] = to;
      }
    }
    const changed = { withdrawalApprovalLimit: inForce.withdrawal, creditApprovalLimit: inForce.credit };
    world.systemSettings = { ...settings, ...changed } as World['systemSettings'];
    if (limits.length === 0) return HttpResponse.json(world.systemSettings);
    const proposal = { ...ownProposal(7411), limits };
    world.limitProposals = [proposal];
    return HttpResponse.json({ ...world.systemSettings, proposal }, { status: 202 });
  });
}

function reviewHandlers(world: World, name: keyof ProposalWorld, path: string) {
  return [
    http.get(`*/api/admin/${path}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      const all = (world[name] as Proposal[]).filter(({ status }) => status === query.get('status'));
      const { page, nextCursor } = pageOf(all, query);
      return HttpResponse.json({ proposals: page, nextCursor } as RateProposals | LimitProposals);
    }),
    http.post(`*/api/admin/${path}/:id/:kind`, async ({ params, request }) => {
      const body = await request.json();
      if (z.parse(PinConfirmation, body).pin !== PIN) return wrongPin();
      const known = (world[name] as Proposal[]).find(({ id }) => id === params.id);
      if (!known) return errorAnswer('not_found', reason('proposal_not_found'));
      const isRefusal = params.kind === 'refuse';
      Object.assign(known, {
        status: isRefusal ? 'refused' : 'approved',
        decidedBy: { adminId: 'ADM1', name: 'Zuri Admin' },
        decidedAt: '2026-01-12T06:31:00.000Z',
        refusalReason: isRefusal ? z.parse(RefuseProposal, body).reason : null,
      });
      return HttpResponse.json({ proposal: known });
    }),
  ];
}
