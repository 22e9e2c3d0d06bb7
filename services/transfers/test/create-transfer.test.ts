import { RATES_UPDATED } from '@vuka/contracts/messages/rates';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import type { Delivery } from '@vuka/service-kit/messaging/message-bus';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const refreshedPriceMs = 2_000;

test('an order is accepted at the server’s price, with its first lifecycle row, command and event', async () => {
  const amina = transfers.merchant();
  const result = await transfers.order(amina);
  expect(result).toMatchObject({
    ok: true,
    created: true,
    transaction: { status: 'PENDING', source_amount: '1000.00', target_amount: '23030.00', exchange_rate: '23.03' },
  });
  const { id } = result.transaction;
  expect(await transfers.lifecycle(id)).toEqual(['PENDING']);
  expect(await transfers.messages(id)).toEqual(['transfer.created.v1', 'transfer.execute.v1']);
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
});

test('an amount that differs from the rate is refused with the current price, held as a quote', async () => {
  const amina = transfers.merchant();
  const refused = await transfers.order(amina, { targetAmount: '25000' });
  expect(refused).toMatchObject({
    ok: false,
    code: 'rate_changed',
    details: { quote: { targetAmount: '23030.00', rate: '23.03' } },
  });
  const { quoteId } = refused.details.quote;
  expect(await transfers.order(amina, { quoteId })).toMatchObject({ ok: true });
});

test('a live quote keeps its price when the rate changes; an expired or another user’s quote does not', async () => {
  const amina = transfers.merchant();
  const payload = { direction: 'KES_TO_TZS', sourceAmount: 1000 };
  const { body: quote } = await transfers.send('POST', '/internal/quotes', { payload, caller: amina });
  transfers.fakes.setRate('20');
  transfers.clock.advance(refreshedPriceMs);
  expect(await transfers.order(amina)).toMatchObject({
    code: 'rate_changed',
    details: { quote: { targetAmount: '19600.00' } },
  });
  expect(await transfers.order(amina, { quoteId: quote.quoteId })).toMatchObject({ ok: true });
  expect(await transfers.order(transfers.merchant(), { quoteId: quote.quoteId })).toMatchObject({
    code: 'rate_changed',
  });
  transfers.clock.advance(60_000);
  expect(await transfers.order(amina, { quoteId: quote.quoteId })).toMatchObject({ code: 'rate_changed' });
  transfers.fakes.setRate('23.5');
  transfers.clock.advance(refreshedPriceMs);
});

const feeOf = (fixedFee: string) => ({
  transactionType: 'transfer',
  currency: 'KES' as const,
  minAmount: '0.00',
  maxAmount: null,
  fixedFee,
  percentageFee: '0',
});

test('a fee that differs from the one shown is refused with the current price, and no money moves', async () => {
  const amina = transfers.merchant();
  const payload = { direction: 'KES_TO_TZS', sourceAmount: 1000 };
  const { body: quote } = await transfers.send('POST', '/internal/quotes', { payload, caller: amina });
  transfers.fakes.setFees([feeOf('50.00')]);
  transfers.clock.advance(refreshedPriceMs);
  const changed = { ok: false, code: 'rate_changed', message: 'The fee has changed. Please confirm the new one.' };
  const withNewFee = { ...changed, details: { quote: { targetAmount: '23030.00', fee: '50.00' } } };
  expect(await transfers.order(amina, { fee: '0.00' })).toMatchObject(withNewFee);
  transfers.clock.advance(60_000);
  // A client that sends no fee accepts the fee of its quote.
  expect(await transfers.order(amina, { quoteId: quote.quoteId })).toMatchObject(withNewFee);
  expect(transfers.fakes.balances.get(amina.userId)).toBe(100_000_00n);
  expect(await transfers.order(amina, { fee: 50 as never })).toMatchObject({ ok: true });
  expect(transfers.fakes.balances.get(amina.userId)).toBe(98_950_00n);
  transfers.fakes.setFees([]);
  transfers.clock.advance(refreshedPriceMs);
});

test('nobody pays a fee that they may not have seen: without it, an order whose quote is no longer kept is refused', async () => {
  const amina = transfers.merchant();
  const payload = { direction: 'KES_TO_TZS', sourceAmount: 1000 };
  const { body: quote } = await transfers.send('POST', '/internal/quotes', { payload, caller: amina });
  await transfers.db.deleteFrom('quotes').where('id', '=', quote.quoteId).execute();
  const refused = await transfers.order(amina, { quoteId: quote.quoteId });
  expect(refused).toMatchObject({
    code: 'rate_changed',
    details: { quote: { targetAmount: '23030.00', fee: '0.00' } },
  });
  expect(transfers.fakes.balances.get(amina.userId)).toBe(100_000_00n);
  expect(await transfers.order(amina, { quoteId: quote.quoteId, fee: '0.00' })).toMatchObject({ ok: true });
});

test('a live quote keeps its fee, and an order with another fee is refused', async () => {
  const amina = transfers.merchant();
  const payload = { direction: 'KES_TO_TZS', sourceAmount: 1000 };
  const { body: quote } = await transfers.send('POST', '/internal/quotes', { payload, caller: amina });
  transfers.fakes.setFees([feeOf('50.00')]);
  transfers.clock.advance(refreshedPriceMs);
  const { quoteId } = quote;
  expect(await transfers.order(amina, { quoteId, fee: '50.00' })).toMatchObject({
    code: 'rate_changed',
    details: { quote: { quoteId, fee: '0.00' } },
  });
  expect(await transfers.order(amina, { quoteId, fee: '0.00' })).toMatchObject({ ok: true });
  transfers.fakes.setFees([]);
  transfers.clock.advance(refreshedPriceMs);
});

test('the same client transaction id is always the same transfer, even at another rate, and holds once', async () => {
  const amina = transfers.merchant();
  const order = { clientTransactionId: 'CLIENT-same-0001' };
  const first = await transfers.order(amina, order);
  transfers.fakes.setRate('22');
  transfers.clock.advance(refreshedPriceMs);
  expect(await transfers.order(amina, order)).toMatchObject({
    ok: true,
    created: false,
    transaction: { id: first.transaction.id },
  });
  transfers.fakes.setRate('23.5');
  transfers.clock.advance(refreshedPriceMs);
  expect(await transfers.order(amina, { ...order, recipientPhone: '+255763456701' })).toMatchObject({
    code: 'idempotency_conflict',
  });
  expect(await transfers.order(transfers.merchant(), order)).toMatchObject({ ok: true, created: true });
});

test('twenty concurrent identical orders make one transfer and one hold', async () => {
  const amina = transfers.merchant();
  const order = { clientTransactionId: 'CLIENT-race-0001' };
  const results = await Promise.all(Array.from({ length: 20 }, () => transfers.order(amina, order)));
  expect(new Set(results.map((result) => result.transaction.id)).size).toBe(1);
  expect(results.filter((result) => result.created)).toHaveLength(1);
  expect(transfers.fakes.appliedFor(results[0].transaction.id)).toEqual(['hold']);
});

test('insufficient funds fail the transfer at once, and a repeat gets the same answer', async () => {
  const amina = transfers.merchant(999_99n);
  const order = { clientTransactionId: 'CLIENT-poor-0001' };
  const refusal = { ok: false, code: 'insufficient_funds', message: 'Amount exceeds available balance' };
  expect(await transfers.order(amina, order)).toMatchObject(refusal);
  expect(await transfers.order(amina, order)).toMatchObject(refusal);
  const { body } = await transfers.send('GET', '/internal/transfers', { caller: amina });
  expect(body.items).toMatchObject([{ status: 'FAILED' }]);
  expect(await transfers.lifecycle(body.items[0].id)).toEqual(['PENDING', 'FAILED']);
});

test.each([
  ['a number of the wrong country', { recipientPhone: '+254763456700' }, 'recipientPhone'],
  ['a currency that is not the direction’s', { sourceCurrency: 'TZS' }, 'sourceCurrency'],
  [
    'an amount that converts to zero',
    { direction: 'TZS_TO_KES', sourceAmount: '1', recipientPhone: '+254712345678' },
    'sourceAmount',
  ],
])('%s is refused with the field’s path', async (_what, order, path) => {
  const refused = await transfers.order(transfers.merchant(), order as never);
  expect(refused).toMatchObject({ ok: false, code: 'validation_failed', details: { issues: [{ path }] } });
});

test('one bad order does not fail the call', async () => {
  const item = {
    caller: 'forged',
    order: {
      direction: 'KES_TO_TZS',
      sourceAmount: '1',
      targetAmount: '23',
      recipientPhone: '+255763456700',
      clientTransactionId: 'CLIENT-forged-1',
    },
  };
  const { status, body } = await transfers.send('POST', '/internal/transfers/create-batch', {
    payload: { items: [item] },
  });
  expect(status).toBe(200);
  expect(body.results).toMatchObject([{ ok: false, code: 'unauthenticated' }]);
});

test('without an answer from the wallet the order is accepted, and the worker repeats the hold under the same key', async () => {
  const amina = transfers.merchant();
  transfers.fakes.switches.walletUnavailable = true;
  const { transaction } = await transfers.order(amina);
  expect(transaction.status).toBe('PENDING');
  transfers.fakes.switches.walletUnavailable = false;
  await transfers.execute(transaction.id);
  expect(transfers.fakes.appliedFor(transaction.id)).toEqual(['hold']);
  expect((await transfers.transfer(transaction.id)).status).toBe('PROCESSING');
});

test('while rates is unavailable the last price is used, and without one orders are refused', async () => {
  transfers.fakes.switches.ratesUnavailable = true;
  transfers.clock.advance(refreshedPriceMs);
  expect(await transfers.order(transfers.merchant())).toMatchObject({ ok: true });
  transfers.clock.advance(11 * 60_000);
  expect(await transfers.order(transfers.merchant())).toMatchObject({ ok: false, code: 'unavailable' });
  transfers.fakes.switches.ratesUnavailable = false;
});

const keptPricing = {
  version: 1,
  pricing: JSON.stringify({
    version: 1,
    buyRate: '23.5',
    markup: '2',
    kesToTzs: '23.03',
    tzsToKes: '0.0417021276595744',
    updatedAt: '2026-01-15T09:00:00.000Z',
    fees: [],
  }),
  updated_at: new Date('2026-01-15T09:00:00.000Z'),
};

test('while rates is unavailable, a change that another replica was told is in force here too', async () => {
  const replica = await createTransfers();
  expect(await replica.order(replica.merchant())).toMatchObject({ ok: true });
  replica.fakes.switches.ratesUnavailable = true;
  const changed = { ...JSON.parse(keptPricing.pricing), version: 9, kesToTzs: '24.00' };
  const row = { version: 9, pricing: JSON.stringify(changed), updated_at: new Date() };
  await replica.db.insertInto('pricing_copy').values(row).execute();
  replica.clock.advance(refreshedPriceMs);
  expect(await replica.order(replica.merchant())).toMatchObject({ ok: false, code: 'rate_changed' });
  await replica.stop();
});

test('a change that the rates service has lost in a failover is not in force, and another one of its version is', async () => {
  const replica = await createTransfers();
  const told = (kesToTzs: string) => {
    const data = { ...JSON.parse(keptPricing.pricing), version: 2, kesToTzs };
    return replica.deps.pricing.apply({
      envelope: cloudEvent({ source: '/vuka/rates', type: RATES_UPDATED, data }),
    } as Delivery);
  };
  expect(await told('24.00')).toEqual({ kind: 'ack' });
  replica.clock.advance(refreshedPriceMs);
  expect(await replica.order(replica.merchant())).toMatchObject({ ok: true });
  replica.fakes.switches.ratesUnavailable = true;
  replica.clock.advance(refreshedPriceMs);
  expect(await replica.order(replica.merchant())).toMatchObject({ ok: true });
  await told('25.00');
  const { pricing } = await replica.db.selectFrom('pricing_copy').select('pricing').executeTakeFirstOrThrow();
  expect(pricing.kesToTzs).toBe('25.00');
  await replica.stop();
});

test('a price stored by an earlier run expires like any other', async () => {
  const restarted = await createTransfers();
  await restarted.db.insertInto('pricing_copy').values(keptPricing).execute();
  restarted.fakes.switches.ratesUnavailable = true;
  expect(await restarted.order(restarted.merchant())).toMatchObject({ ok: true });
  restarted.clock.advance(11 * 60_000);
  expect(await restarted.order(restarted.merchant())).toMatchObject({ ok: false, code: 'unavailable' });
  await restarted.stop();
});

test('only the sender and administrators see a transfer', async () => {
  const amina = transfers.merchant();
  const { transaction } = await transfers.order(amina);
  const see = async (caller: typeof amina) =>
    (await transfers.send('GET', `/internal/transfers/${transaction.id}`, { caller })).status;
  expect(await see(amina)).toBe(200);
  expect(await see(transfers.merchant())).toBe(404);
  expect(await see({ ...transfers.merchant(), isAdmin: true, role: 'owner' as const })).toBe(200);
});

test('the list continues after the last page, newest first', async () => {
  const amina = transfers.merchant();
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) ids.push((await transfers.order(amina)).transaction.id);
  const page = async (cursor?: string) =>
    (await transfers.send('GET', `/internal/transfers?limit=2${cursor ? `&cursor=${cursor}` : ''}`, { caller: amina }))
      .body;
  const first = await page();
  const second = await page(first.nextCursor);
  const third = await page(second.nextCursor);
  const seen = [first, second, third].flatMap(({ items }) => items.map((item: { id: string }) => item.id));
  expect(seen).toEqual(ids.reverse());
  expect(third.nextCursor).toBeNull();
});
