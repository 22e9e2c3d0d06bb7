import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { noteOf } from '#saga/step.ts';
import { commitTransitions } from '#saga/transition.store.ts';
import { createTransfers, type Transfers } from './harness.ts';

// One process that accepts orders and executes them, as on a small machine.

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());
beforeEach(() => {
  transfers.script.submit = { kind: 'accepted', state: 'accepted' };
  Object.assign(transfers.fakes.switches, { walletUnavailable: false, walletAnswersLost: 0 });
});

async function accepted(): Promise<string> {
  const { transaction } = await transfers.order(transfers.merchant());
  return transaction.id;
}

const submitsOf = async (id: string) => {
  const payout = await transfers.payoutOf(id);
  return transfers.submits.filter((submit) => submit.id === payout.id);
};

test('the money of an order that is executed where it was accepted is requested once, and paid once', async () => {
  const id = await accepted();
  await transfers.executeHere(id);
  expect(transfers.fakes.askedFor(id)).toEqual(['hold']);
  expect((await transfers.transfer(id)).step).toBe('paying_out');
  expect(await submitsOf(id)).toHaveLength(1);
});

test('a command that arrives twice is executed once, and the second time from the books', async () => {
  const id = await accepted();
  transfers.script.status = { kind: 'ambiguous', reason: 'it is busy' };
  await transfers.executeHere(id);
  await transfers.executeHere(id);
  expect(transfers.fakes.askedFor(id)).toEqual(['hold']);
  expect(await submitsOf(id)).toHaveLength(1);
});

test('a hold without an answer is requested again, and made once', async () => {
  transfers.fakes.switches.walletAnswersLost = 1;
  const id = await accepted();
  await transfers.executeHere(id);
  expect(transfers.fakes.askedFor(id)).toEqual(['hold', 'hold']);
  expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
  expect((await transfers.transfer(id)).step).toBe('paying_out');
});

test('an order that another process has changed meanwhile is read again, and its hold requested again', async () => {
  const id = await accepted();
  const transfer = await transfers.transfer(id);
  await commitTransitions(transfers.db, [noteOf(transfer, transfers.clock.now(), { attempts: 1 })]);
  await transfers.executeHere(id);
  expect(transfers.fakes.askedFor(id)).toEqual(['hold', 'hold']);
  expect(await transfers.transfer(id)).toMatchObject({ step: 'paying_out' });
  expect(await submitsOf(id)).toHaveLength(1);
});

test('what the wallet answered some seconds ago is not relied on', async () => {
  const id = await accepted();
  transfers.clock.advance(6_000);
  await transfers.executeHere(id);
  expect(transfers.fakes.askedFor(id)).toEqual(['hold', 'hold']);
});

test('an order without money fails once, whoever executes it', async () => {
  const { ok } = await transfers.order(transfers.merchant(5n));
  expect(ok).toBe(false);
  const [{ id, step } = { id: '', step: '' }] = await transfers.db
    .selectFrom('transactions')
    .select(['id', 'step'])
    .where('error_code', '=', 'insufficient_funds')
    .execute();
  expect(step).toBe('failed');
  await transfers.executeHere(id);
  expect(await transfers.lifecycle(id)).toEqual(['PENDING', 'FAILED']);
});
