import type { Pricing } from '@vuka/contracts/internal/pricing';
import { inverseSellRate, sellRate } from '@vuka/money';
import { recordAction } from '@vuka/service-kit/audit';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Caller } from '@vuka/service-kit/tokens';
import type { Db, Transaction } from '#db/schema.ts';
import { changePricing, findRate, RATE_PAIR } from './pricing.store.ts';

export interface UpdateRatesDeps {
  db: Db;
  now: () => Date;
  kickRelay: () => void;
}

export interface NewRates {
  /** Decimal strings: TZS per KES, and per cent. */
  buyRate: string;
  markup: string;
  admin: Caller;
}

/** Sets both directions' rates, keeps the history, and tells everybody. */
export async function updateRates(deps: UpdateRatesDeps, rates: NewRates): Promise<Pricing> {
  const { pricing } = await changePricing(deps.db, async (trx) => {
    const before = await findRate(trx);
    await write(trx, rates, deps.now());
    const after = await findRate(trx);
    const action = {
      source: '/vuka/rates',
      caller: rates.admin,
      action: 'rates.updated',
      subject: { kind: 'rates' as const, id: `${RATE_PAIR.source_currency}/${RATE_PAIR.target_currency}` },
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    };
    await recordAction(trx, action, deps.now());
  });
  if (!pricing) throw new Error('a rate that was set cannot be found');
  deps.kickRelay();
  return pricing;
}

async function write(trx: Transaction, { buyRate, markup, admin }: NewRates, now: Date) {
  const stamp = { markup, updated_by: admin.userId, updated_at: now };
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
  const history = { updated_by_name: admin.name, created_at: now };
  await trx
    .insertInto('rate_history')
    .values([back, there].map((rate) => ({ ...rate, ...history, id: uuidv7() })))
    .execute();
}
