import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import { type Act, type ProposalRow, propose, supersedeProposals } from '@vuka/access/proposals';
import type { AuditAction } from '@vuka/contracts/http/audit-actions';
import type { Pricing } from '@vuka/contracts/internal/pricing';
import { inverseSellRate, sellRate } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';

import type { Db, Transaction } from '#db/schema.ts';
import { trimDecimal } from './decimal.ts';
import { type EnteredRate, isLargeChange } from './large-change.domain.ts';
import {
  findRate,
  findRateAt,
  findRateId,
  getPricing,
  publishPricing,
  RATE_PAIR,
  underPricingLock,
} from './pricing.store.ts';

export interface UpdateRatesDeps {
  db: Db;
  now: () => Date;
  kickRelay: () => void;
}

/** The subject under which proposed rates are stored. */
export const RATE_PROPOSALS = 'rates';

const COMPARED_WITH_MS = 24 * 3_600_000;

export type RatesTaken =
  | { kind: 'in_force'; pricing: Pricing }
  | { kind: 'waiting'; proposal: ProposalRow<EnteredRate> };

/**
 * Sets the rates of both directions, or stores a large change as a proposal for another administrator while the current
 * rate stays in force. A sole administrator sets a large change with the PIN. Throws pin_required, changed_meanwhile.
 */
export async function updateRates(
  deps: UpdateRatesDeps,
  { replaces, ...rate }: EnteredRate & { replaces?: string | undefined },
  admin: Caller,
): Promise<RatesTaken> {
  const taken = await underPricingLock(deps.db, async (trx): Promise<RatesTaken> => {
    const act = { caller: admin, at: deps.now() };
    const before = await findRate(trx);
    const isInForce = isDeepStrictEqual(before, normal(rate));
    if (replaces !== undefined && replaces.toLowerCase() !== (await findRateId(trx))) {
      // The answer to the first request was lost.
      if (isInForce) return { kind: 'in_force', pricing: await getPricing(trx) };
      throw new AppError('changed_meanwhile');
    }
    if (!before || isInForce || !(await isLarge(trx, { before, rate, at: act.at }))) return setRate(trx, rate, act);
    if (!admin.isOnlyAdmin) return proposeRate(trx, { before, after: rate }, act);
    if (admin.pinVerified) return setRate(trx, rate, { ...act, action: 'rates.updated-alone' });
    throw new AppError('rate_change_large');
  });
  deps.kickRelay();
  return taken;
}

async function isLarge(trx: Transaction, asked: { before: EnteredRate; rate: EnteredRate; at: Date }) {
  const dayBefore = await findRateAt(trx, new Date(asked.at.getTime() - COMPARED_WITH_MS));
  return isLargeChange(asked.rate, dayBefore ? [asked.before, dayBefore] : [asked.before]);
}

async function proposeRate(
  trx: Transaction,
  { before, after }: Record<'before' | 'after', EnteredRate>,
  act: Act,
): Promise<RatesTaken> {
  const change = { subject: RATE_PROPOSALS, before, after: normal(after) };
  const { proposal, isNew } = await propose(trx, change, act);
  if (isNew) {
    const action = { ...AUDITED, caller: act.caller, action: 'rates.proposed' as const, before, after };
    await recordAction(trx, action, act.at);
  }
  return { kind: 'waiting', proposal };
}

async function setRate(trx: Transaction, rate: EnteredRate, act: Act & { action?: AuditAction }): Promise<RatesTaken> {
  const { caller, at, action = 'rates.updated' } = act;
  const before = await findRate(trx);
  await supersedeProposals(trx, RATE_PROPOSALS, at);
  const pricing = await putInForce(trx, { ...rate, setBy: { userId: caller.userId, name: caller.name } }, at);
  const facts = { ...(before ? { before } : {}), after: normal(rate) };
  await recordAction(trx, { ...AUDITED, caller, action, ...facts }, at);
  return { kind: 'in_force', pricing };
}

/** The fields of every audit trail entry for a rate change. */
export const AUDITED = {
  source: '/vuka/rates',
  subject: { kind: 'rates' as const, id: `${RATE_PAIR.source_currency}/${RATE_PAIR.target_currency}` },
};

export interface RateToSet extends EnteredRate {
  setBy: { userId: string; name: string };
}

export async function putInForce(trx: Transaction, rate: RateToSet, at: Date): Promise<Pricing> {
  await write(trx, rate, at);
  const pricing = await publishPricing(trx);
  if (!pricing) throw new Error('the rate just set is not found');
  return pricing;
}

async function write(trx: Transaction, { buyRate, markup, setBy }: RateToSet, at: Date): Promise<void> {
  const stamp = { markup, updated_by: setBy.userId, updated_at: at };
  const there = { ...RATE_PAIR, ...stamp, rate: buyRate, effective_rate: sellRate(buyRate, markup) };
  const back = {
    source_currency: RATE_PAIR.target_currency,
    target_currency: RATE_PAIR.source_currency,
    ...stamp,
    rate: inverseSellRate(buyRate, '0'),
    effective_rate: inverseSellRate(buyRate, markup),
  };
  await trx
    .insertInto('exchange_rates')
    .values([there, back])
    .onConflict((conflict) =>
      conflict.columns(['source_currency', 'target_currency']).doUpdateSet((row) => ({
        rate: row.ref('excluded.rate'),
        markup: row.ref('excluded.markup'),
        effective_rate: row.ref('excluded.effective_rate'),
        updated_by: row.ref('excluded.updated_by'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
  const history = { updated_by_name: setBy.name, created_at: at };
  await trx
    .insertInto('rate_history')
    .values([back, there].map((rate) => ({ ...rate, ...history, id: uuidv7() })))
    .execute();
}

/** Normalised as in the database: `24.50` and `24.5` are the same rate. */
const normal = ({ buyRate, markup }: EnteredRate): EnteredRate => ({
  buyRate: trimDecimal(buyRate),
  markup: trimDecimal(markup),
});
