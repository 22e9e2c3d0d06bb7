import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Logger } from '@vuka/service-kit/logger';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { EFFECTS, type Effect, type EffectName, findEffect } from '#effects/effect.domain.ts';

const names = Object.keys(EFFECTS) as [EffectName, ...EffectName[]];

const params = z._default(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {});

/** The payouts to affect, and the effects on them. `next` means the next n ids that were not seen before. */
export const Scenario = z.object({
  /** A new scenario replaces the one with the same name. */
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  match: z
    .strictObject({
      msisdn: z.optional(z.string()),
      id: z.optional(z.string()),
      currency: z.optional(z.enum(WALLET_CURRENCIES)),
      next: z.optional(z.int().check(z.gte(1))),
      /** Every payout, until the scenario is removed. */
      every: z.optional(z.literal(true)),
    })
    .check(
      z.refine((match) => Object.keys(match).length > 0, {
        error: 'match needs msisdn, id, currency, next or every',
      }),
    ),
  effect: z.enum(names),
  params,
  /** Further effects on the same payouts. */
  and: z._default(z.array(z.object({ effect: z.enum(names), params })), []),
});
export type Scenario = z.infer<typeof Scenario>;

/** An active scenario. */
interface ActiveScenario extends Scenario {
  id: string;
  /** How many more payouts the scenario affects; null if unlimited. */
  left: number | null;
  createdAt: string;
}

interface Stored {
  id: string;
  scenario: Scenario;
  left: number;
  createdAt: Date;
}

/** An effect on a payout, and the scenario that it came from. */
interface Met extends Effect {
  scenarioId: string;
}

interface PayoutRequest {
  id: string;
  msisdn: string;
  currency: string;
}

export interface Scenarios {
  load(): Promise<void>;
  add(scenario: Scenario): Promise<string>;
  list(): ActiveScenario[];
  clear(): Promise<void>;
  /**
   * Removes the scenario of this name: it affects no more payouts, nor repeats of earlier ones. True if it existed.
   */
  remove(name: string): Promise<boolean>;
  /**
   * The effects on a request. Effects on the exchange itself, or with `params.once`, apply only to a payout's first
   * request.
   */
  meet(request: PayoutRequest): Effect[];
}

interface ScenariosDeps {
  db: Db;
  logger: Logger;
  now: () => Date;
}

/** Scenarios survive a restart; a partly used `next` starts again. */
export function createScenarios({ db, logger, now }: ScenariosDeps): Scenarios {
  let stored: Stored[] = [];
  const seen = new Map<string, Met[]>();
  function forgetUsedUp() {
    const usedUp = stored.filter(({ left }) => left === 0).map(({ id }) => id);
    stored = stored.filter(({ left }) => left > 0);
    db.deleteFrom('scenarios')
      .where('id', 'in', usedUp)
      .execute()
      .catch((error: unknown) => logger.warn({ err: error }, 'a used-up scenario could not be removed'));
  }
  async function forget(gone: readonly Stored[]) {
    const ids = gone.map(({ id }) => id);
    if (ids.length === 0) return;
    await db.deleteFrom('scenarios').where('id', 'in', ids).execute();
    stored = stored.filter(({ id }) => !ids.includes(id));
    for (const [payoutId, met] of seen) {
      const rest = met.filter(({ scenarioId }) => !ids.includes(scenarioId));
      if (rest.length < met.length) seen.set(payoutId, rest);
    }
  }

  const namesakes = (name: string | undefined) =>
    name === undefined ? [] : stored.filter(({ scenario }) => scenario.name === name);

  return {
    async load() {
      const rows = await db.selectFrom('scenarios').selectAll().orderBy('id').execute();
      stored = rows.map((row) => toStored(row.id, Scenario.parse(row.definition), row.created_at));
    },
    async add(scenario) {
      const id = uuidv7();
      const createdAt = now();
      await db
        .insertInto('scenarios')
        .values({ id, definition: JSON.stringify(scenario), created_at: createdAt })
        .execute();
      const replaced = namesakes(scenario.name);
      stored.push(toStored(id, scenario, createdAt));
      await forget(replaced);
      return id;
    },
    list: () =>
      stored.map(({ id, scenario, left, createdAt }) => ({
        id,
        ...scenario,
        left: Number.isFinite(left) ? left : null,
        createdAt: createdAt.toISOString(),
      })),
    async remove(name) {
      const gone = namesakes(name);
      await forget(gone);
      return gone.length > 0;
    },
    async clear() {
      await db.deleteFrom('scenarios').execute();
      stored = [];
      seen.clear();
    },
    meet(request) {
      const before = seen.get(request.id);
      if (before) return before.filter(strikesAgain);
      const met = stored.filter((candidate) => isFor(candidate, request));
      for (const candidate of met) candidate.left -= 1;
      if (met.some(({ left }) => left === 0)) forgetUsedUp();
      const effects = met.flatMap(({ id, scenario }) =>
        [scenario, ...scenario.and].map((each) => ({ name: each.effect, params: each.params, scenarioId: id })),
      );
      if (met.length > 0) seen.set(request.id, effects);
      return effects.filter(({ name }) => EFFECTS[name] !== 'repeat');
    },
  };
}

function isFor({ scenario: { match }, left }: Stored, request: PayoutRequest): boolean {
  return (
    (match.id === undefined || match.id === request.id) &&
    (match.msisdn === undefined || match.msisdn === request.msisdn) &&
    (match.currency === undefined || match.currency === request.currency) &&
    left > 0
  );
}

function strikesAgain({ name, params }: Effect): boolean {
  return params.always === true || EFFECTS[name] === 'repeat' || (EFFECTS[name] === 'payout' && params.once !== true);
}

function toStored(id: string, scenario: Scenario, createdAt: Date): Stored {
  return { id, scenario, createdAt, left: scenario.match.next ?? Number.POSITIVE_INFINITY };
}

/** The code with which a well-formed payout is finally rejected, if an effect says so. */
export function rejectionOf(effects: readonly Effect[]): string | undefined {
  const rejects = findEffect(effects, 'reject');
  if (rejects) return String(rejects.params.code ?? 'INVALID_PROVIDER');
  if (findEffect(effects, 'closed') || findEffect(effects, 'closed_to_repeats'))
    return 'PROVIDER_TEMPORARILY_UNAVAILABLE';
  return findEffect(effects, 'float_exhausted')?.params.at === 'accept' ? 'PAWAPAY_WALLET_OUT_OF_FUNDS' : undefined;
}
