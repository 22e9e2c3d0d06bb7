import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { mustReplace } from '@vuka/access/changed-meanwhile';
import { statusAfter } from '@vuka/access/four-eyes';
import {
  type Act,
  decideProposal,
  mustStillPropose,
  type ProposalRow,
  propose,
  supersedeProposals,
} from '@vuka/access/proposals';
import { LIMIT_KINDS, type SetLimits, type TierLimits } from '@vuka/contracts/http/tier-limits';
import type { DecisionRequest } from '@vuka/contracts/internal/decisions';
import { AppError } from '@vuka/service-kit/app-error';
import { sql } from 'kysely';
import type { IdentityClient } from '#clients/identity.client.ts';
import type { Db, Trx } from '#db/schema.ts';
import { type LimitCopy, readLimits } from './limit.store.ts';
import { fromWholeUnits, toTierLimits } from './limits.view.ts';

export interface ChangeLimitsDeps {
  db: Db;
  limits: LimitCopy;
  now: () => Date;
  kickRelay: () => void;
}

export interface DecideLimitsDeps extends ChangeLimitsDeps {
  identity: Pick<IdentityClient, 'roleNow'>;
}

export type LimitsProposal = ProposalRow<TierLimits>;

/** Begins the subject of a proposal; tier and currency follow. Each pair has at most one open proposal. */
const LIMITS_SUBJECT = 'limits';
const subjectOf = ({ tier, currency }: Pick<TierLimits, 'tier' | 'currency'>) =>
  `${LIMITS_SUBJECT} ${tier} ${currency}`;

/**
 * Sets the limits of a tier in a currency. If one is raised, all of them wait for another administrator; a sole
 * administrator raises them with the PIN. Throws pin_required, changed_meanwhile.
 */
export async function changeLimits(
  deps: ChangeLimitsDeps,
  asked: SetLimits,
  admin: Caller,
): Promise<LimitsProposal | undefined> {
  const act = { caller: admin, at: deps.now() };
  const waiting = await underLock(deps.db, async (trx) => {
    const before = toTierLimits(asked, (await readLimits(trx))(asked.tier, asked.currency));
    const after = toTierLimits(asked, fromWholeUnits(asked));
    const replaces = asked.replaces && toTierLimits(asked, fromWholeUnits(asked.replaces));
    mustReplace({ inForce: before, replaces, wanted: after });
    // A repeat, whose first answer was lost, must not replace what has been proposed since. To save the limits that
    // are in force withdraws the proposed ones.
    const isRepeat = replaces !== undefined && !isDeepStrictEqual(replaces, before);
    if (isRepeat) return undefined;
    const isRaised = LIMIT_KINDS.some((kind) => BigInt(after[kind]) > BigInt(before[kind]));
    if (isRaised && !admin.isOnlyAdmin) return proposeLimits(trx, { before, after }, act);
    if (isRaised && !admin.pinVerified) throw new AppError('limits_raised');
    await supersedeProposals(trx, subjectOf(after), act.at);
    await setLimits(trx, after, admin.userId, act.at);
    const action = isRaised ? 'limits.raised-alone' : 'limits.lowered';
    await recordAction(trx, { ...audited(after), caller: admin, action, before, after }, act.at);
    return undefined;
  });
  finish(deps);
  return waiting;
}

async function proposeLimits(trx: Trx, { before, after }: Record<'before' | 'after', TierLimits>, act: Act) {
  const { proposal, isNew } = await propose(trx, { subject: subjectOf(after), before, after }, act);
  if (isNew) {
    const action = { ...audited(after), caller: act.caller, action: 'limits.proposed' as const, before, after };
    await recordAction(trx, action, act.at);
  }
  return proposal;
}

/**
 * Applies another administrator's decision on raised limits. Throws not_found, forbidden for the proposer and for one
 * who may no longer propose, already_decided, unavailable.
 */
export async function decideLimits(
  deps: DecideLimitsDeps,
  { id, decision }: DecisionRequest,
  admin: Caller,
): Promise<LimitsProposal> {
  const act = { caller: admin, at: deps.now() };
  await mustStillPropose(deps.db, { id, decision }, { right: 'limits.change', roleNow: deps.identity.roleNow });
  const decided = await underLock(deps.db, async (trx) => {
    const known = await trx.selectFrom('proposals').select('subject').where('id', '=', id).executeTakeFirst();
    if (!known) throw new AppError('proposal_not_found');
    const { proposal, isNew } = await decideProposal<TierLimits>(trx, { subject: known.subject, id, decision }, act);
    if (!isNew) return proposal;
    const { before, after, status, requester_id: proposedBy, refusal_reason: reason } = proposal;
    if (status === 'approved') await setLimits(trx, after, proposal.requester_user_id, act.at);
    const facts = { before, after: { ...after, proposal: id, proposedBy }, ...(reason === null ? {} : { reason }) };
    await recordAction(
      trx,
      { ...audited(after), caller: admin, action: `limits.${statusAfter(decision)}`, ...facts },
      act.at,
    );
    return proposal;
  });
  finish(deps);
  return decided;
}

/** Serialises changes of limits, which are rare. */
function underLock<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${LIMITS_SUBJECT}, 0))`.execute(trx);
    return work(trx);
  });
}

function finish({ limits, kickRelay }: ChangeLimitsDeps): void {
  limits.forget();
  kickRelay();
}

async function setLimits(trx: Trx, set: TierLimits, changedBy: string, at: Date): Promise<void> {
  const limits = fromWholeUnits(set);
  const values = {
    per_transaction: limits.perTransaction,
    per_day: limits.perDay,
    per_month: limits.perMonth,
    per_day_in: limits.perDayIn,
    per_month_in: limits.perMonthIn,
    changed_by: changedBy,
    changed_at: at,
  };
  await trx
    .insertInto('limits')
    .values({ tier: set.tier, currency: set.currency, ...values })
    .onConflict((conflict) => conflict.columns(['tier', 'currency']).doUpdateSet(values))
    .execute();
}

const audited = ({ tier, currency }: TierLimits) => ({
  source: '/vuka/transfers',
  subject: { kind: 'limits' as const, id: `${tier}/${currency}` },
});
