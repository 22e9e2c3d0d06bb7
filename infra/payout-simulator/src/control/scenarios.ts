import { uuidv7 } from '@vuka/service-kit/ids';
import type { Logger } from '@vuka/service-kit/logger';
import * as z from 'zod/mini';
import type { Db } from '#db/schema.ts';
import { EFFECTS, type Effect, type EffectName, findEffect } from './effect.domain.ts';

const names = Object.keys(EFFECTS) as [EffectName, ...EffectName[]];

/** Which payouts, and what happens to them. `next`: the next so many ids that were not seen before. */
export const Scenario = z.object({
  match: z
    .object({
      msisdn: z.optional(z.string()),
      id: z.optional(z.string()),
      next: z.optional(z.int().check(z.gte(1))),
    })
    .check(z.refine((match) => Object.keys(match).length > 0, { error: 'match needs msisdn, id or next' })),
  effect: z.enum(names),
  params: z._default(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {}),
});
export type Scenario = z.infer<typeof Scenario>;

interface Stored {
  id: string;
  scenario: Scenario;
  left: number;
}

export interface Scenarios {
  load(): Promise<void>;
  add(scenario: Scenario): Promise<string>;
  list(): (Scenario & { id: string })[];
  clear(): Promise<void>;
  /** What a request meets. What hits the exchange itself strikes a payout's first request alone. */
  meet(request: { id: string; msisdn: string }): Effect[];
}

interface ScenariosDeps {
  db: Db;
  logger: Logger;
  now: () => Date;
}

/** Scenarios survive a restart; how much of a `next` is used up does not, until all of it is. */
export function createScenarios({ db, logger, now }: ScenariosDeps): Scenarios {
  let stored: Stored[] = [];
  const seen = new Map<string, Effect[]>();
  function forgetUsedUp() {
    const usedUp = stored.filter(({ left }) => left === 0).map(({ id }) => id);
    stored = stored.filter(({ left }) => left > 0);
    db.deleteFrom('scenarios')
      .where('id', 'in', usedUp)
      .execute()
      .catch((error: unknown) => logger.warn({ err: error }, 'a used scenario could not be forgotten'));
  }
  const isFor = ({ scenario: { match }, left }: Stored, request: { id: string; msisdn: string }) =>
    (match.id === undefined || match.id === request.id) &&
    (match.msisdn === undefined || match.msisdn === request.msisdn) &&
    left > 0;

  return {
    async load() {
      const rows = await db.selectFrom('scenarios').selectAll().orderBy('id').execute();
      stored = rows.map(({ id, definition }) => toStored(id, definition as Scenario));
    },
    async add(scenario) {
      const id = uuidv7();
      await db
        .insertInto('scenarios')
        .values({ id, definition: JSON.stringify(scenario), created_at: now() })
        .execute();
      stored.push(toStored(id, scenario));
      return id;
    },
    list: () => stored.map(({ id, scenario }) => ({ id, ...scenario })),
    async clear() {
      await db.deleteFrom('scenarios').execute();
      stored = [];
      seen.clear();
    },
    meet(request) {
      const before = seen.get(request.id);
      if (before) return before.filter(({ name, params }) => EFFECTS[name] === 'payout' || params.always === true);
      const met = stored.filter((candidate) => isFor(candidate, request));
      for (const candidate of met) candidate.left -= 1;
      if (met.some(({ left }) => left === 0)) forgetUsedUp();
      const effects = met.map(({ scenario }) => ({ name: scenario.effect, params: scenario.params }));
      if (met.length > 0) seen.set(request.id, effects);
      return effects;
    },
  };
}

function toStored(id: string, scenario: Scenario): Stored {
  return { id, scenario, left: scenario.match.next ?? Number.POSITIVE_INFINITY };
}

/** The effect by which a payout that is understood is refused for good, and the code that says so. */
export function rejectionOf(effects: readonly Effect[]): string | undefined {
  const rejects = findEffect(effects, 'reject');
  if (rejects) return String(rejects.params.code ?? 'INVALID_PROVIDER');
  if (findEffect(effects, 'closed')) return 'PROVIDER_TEMPORARILY_UNAVAILABLE';
  return findEffect(effects, 'float_exhausted')?.params.at === 'accept' ? 'PAWAPAY_WALLET_OUT_OF_FUNDS' : undefined;
}
