import { noteText } from '@vuka/contracts/texts/transfer-notes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { lookAtBacklog } from '#orders/backlog.store.ts';
import { openException } from '#payouts/payout.store.ts';
import { sweepPayouts, sweepSteps } from '#saga/sweep.ts';
import { waitingNote } from '#saga/transfer.domain.ts';
import { createTransfers, type Transfers } from './harness.ts';

let transfers: Transfers;
beforeAll(async () => {
  transfers = await createTransfers();
});
afterAll(() => transfers.stop());

const [HOUR_MS, MINUTE_MS] = [3_600_000, 60_000];
const closed = { code: 'PROVIDER_TEMPORARILY_UNAVAILABLE', class: 'provider_down' } as const;
beforeEach(() => {
  transfers.script.submit = { kind: 'rejected', failure: closed };
  transfers.script.status = { kind: 'not_found' };
});

/** How far the clocks of this process are ahead of the real ones. They never go back, as real ones do not. */
const sleptMs = { wall: 0, monotonic: 0 };
const [wallNow, monotonicNow] = [Date.now, performance.now.bind(performance)];
vi.spyOn(Date, 'now').mockImplementation(() => wallNow() + sleptMs.wall);
vi.spyOn(performance, 'now').mockImplementation(() => monotonicNow() + sleptMs.monotonic);

/** What a server sees that was promoted, or restored from another: the epoch is of another place. */
async function moveBooks(): Promise<void> {
  await transfers.pool.query(`update books_epoch set place = 'a server that was lost', unsure_until = null`);
}

/** Until no worker of the lost books can send a payout any more. */
async function pastGrace(): Promise<void> {
  await transfers.deps.books.renew();
  transfers.clock.advance(16 * MINUTE_MS);
  await transfers.settleClock();
}

async function accepted(order: object = {}, caller = transfers.merchant()) {
  const { transaction } = await transfers.order(caller, order);
  return transaction.id as string;
}

const stepOf = async (id: string) => (await transfers.transfer(id)).step;
const payoutIdOf = async (id: string) => (await transfers.transfer(id)).metadata.payoutId;

describe('after a failover or a restore', () => {
  test('the refusal of a first request is no proof, since the lost books may have sent the payout', async () => {
    const id = await accepted();
    await moveBooks();
    await transfers.execute(id);
    expect(await stepOf(id)).toBe('paying_out');
    expect(transfers.fakes.appliedFor(id)).toEqual(['hold']);
    expect(await transfers.payoutOf(id)).toMatchObject({ state: 'unknown', failure_code: closed.code });
  });

  describe('an order to a number that belongs to a merchant by now', () => {
    const phone = '+255763456791';
    const mwana = { userId: '0190a000-0000-7000-8000-0000000000aa', name: 'Mwana' };
    const orderedAgain = async () => {
      const id = await accepted({ recipientPhone: phone });
      await moveBooks();
      await transfers.deps.books.renew();
      transfers.fakes.merchants.set(phone, mwana);
      return id;
    };
    afterEach(() => transfers.fakes.merchants.delete(phone));

    test('is paid to the phone if the provider has a payout of it, which the lost books had sent', async () => {
      const id = await orderedAgain();
      const report = { clientPayoutId: String(await payoutIdOf(id)), state: 'completed' as const };
      transfers.script.status = { kind: 'found', report };
      transfers.script.submit = { kind: 'duplicate' };
      await transfers.execute(id);
      expect((await transfers.payoutOf(id)).id).toBe(report.clientPayoutId);
      expect((await transfers.transfer(id)).recipient_user_id).toBeNull();
      expect(transfers.fakes.appliedFor(id)).not.toContain('deposit');
    });

    test('waits while the provider does not say, and is paid to the merchant if it has none', async () => {
      const id = await orderedAgain();
      transfers.script.status = { kind: 'ambiguous', reason: 'no answer' };
      await transfers.execute(id);
      expect(await transfers.transfer(id)).toMatchObject({ step: 'created', status: 'PENDING', attempts: 1 });
      // It waits for the provider: it keeps no other order back, and no sweep of our own steps asks for it.
      const look = () => lookAtBacklog(transfers.db, { since: transfers.clock.now(), now: transfers.clock.now() });
      const { waiting } = await look();
      // So it does although it was marked as late before.
      const late = { waiting_reason: noteText(waitingNote('created')) };
      await transfers.db.updateTable('transactions').set(late).where('id', '=', id).execute();
      expect((await look()).waiting).toBe(waiting + 1);
      await transfers.execute(id);
      expect((await look()).waiting).toBe(waiting);
      await pastGrace();
      const asked = transfers.inquiries.length;
      await sweepSteps(transfers.deps);
      expect(transfers.inquiries).toHaveLength(asked);
      transfers.script.status = { kind: 'not_found' };
      await sweepPayouts(transfers.deps);
      expect(await transfers.transfer(id)).toMatchObject({ status: 'SETTLED', recipient_user_id: mwana.userId });
    });

    test('waits as long as a worker of the lost books may still send its payout, which the provider does not know', async () => {
      const id = await orderedAgain();
      await transfers.execute(id);
      expect(await stepOf(id)).toBe('created');
      transfers.clock.advance(14 * MINUTE_MS);
      await transfers.execute(id);
      expect(await transfers.transfer(id)).toMatchObject({ step: 'created', recipient_user_id: null });
      transfers.clock.advance(2 * MINUTE_MS);
      await transfers.execute(id);
      expect(await transfers.transfer(id)).toMatchObject({ status: 'SETTLED', recipient_user_id: mwana.userId });
    });

    test('is not paid to the merchant by a process that knows only the former epoch', async () => {
      const id = await accepted({ recipientPhone: phone });
      transfers.fakes.merchants.set(phone, mwana);
      await transfers.deps.books.renew();
      await transfers.pool.query('update books_epoch set unsure_until = null');
      await transfers.deps.books.renew();
      await moveBooks();
      const report = { clientPayoutId: String(await payoutIdOf(id)), state: 'completed' as const };
      transfers.script.status = { kind: 'found', report };
      await transfers.execute(id);
      expect((await transfers.transfer(id)).recipient_user_id).toBeNull();
      expect((await transfers.payoutOf(id)).id).toBe(report.clientPayoutId);
    });
  });

  describe('an order whose money was spent since', () => {
    const orderedWithoutMoney = async () => {
      const caller = transfers.merchant();
      transfers.fakes.switches.walletUnavailable = true;
      const { transaction } = await transfers.order(caller);
      transfers.fakes.switches.walletUnavailable = false;
      transfers.fakes.balances.set(caller.userId, 0n);
      await moveBooks();
      await transfers.deps.books.renew();
      return transaction.id as string;
    };
    const exceptionsOf = (id: string) =>
      transfers.db.selectFrom('payout_exceptions').select(['kind']).where('transaction_id', '=', id).execute();

    test('fails, and an administrator gets its payment if the lost books had paid it', async () => {
      const id = await orderedWithoutMoney();
      transfers.script.status = { kind: 'ambiguous', reason: 'no answer' };
      await transfers.execute(id);
      expect(await stepOf(id)).toBe('created');
      const report = { clientPayoutId: String(await payoutIdOf(id)), state: 'completed' as const };
      transfers.script.status = { kind: 'found', report: { ...report, state: 'accepted' } };
      await transfers.execute(id);
      expect([await stepOf(id), await exceptionsOf(id)]).toEqual(['created', []]);
      // The statement has named the payment already, but not its order.
      const seen = { payoutId: report.clientPayoutId, transactionId: null, details: {}, at: transfers.clock.now() };
      await openException(transfers.db, { ...seen, kind: 'paid_without_order', isFromStatement: true });
      transfers.script.status = { kind: 'found', report };
      await transfers.execute(id);
      expect(await stepOf(id)).toBe('failed');
      expect(await exceptionsOf(id)).toEqual([{ kind: 'paid_without_order' }]);
    });

    test('only fails if the provider has no payout of it, and no worker of the lost books can still send one', async () => {
      const id = await orderedWithoutMoney();
      await transfers.execute(id);
      expect(await stepOf(id)).toBe('created');
      await pastGrace();
      await transfers.execute(id);
      expect(await stepOf(id)).toBe('failed');
      expect(await exceptionsOf(id)).toEqual([]);
    });

    test('whose payout failed with an undocumented code ends once an administrator has resolved the exception about it', async () => {
      const id = await orderedWithoutMoney();
      const report = { clientPayoutId: String(await payoutIdOf(id)), state: 'unknown' as const };
      transfers.script.status = { kind: 'found', report: { ...report, unknownFailure: 'LUNAR_ECLIPSE' } };
      for (let round = 0; round < 2; round++) await transfers.execute(id);
      expect([await stepOf(id), await exceptionsOf(id)]).toEqual(['created', [{ kind: 'unknown_failure' }]]);
      const admin = { ...transfers.merchant(0n), isAdmin: true, role: 'owner' as const, name: 'Neema' };
      const { body } = await transfers.send('GET', '/internal/reconciliation', { caller: admin });
      const exception = body.exceptions.find((each: { transactionId: string }) => each.transactionId === id);
      expect(exception).toMatchObject({ state: 'open', holdsTransfer: false });
      const payload = { note: 'the provider says that nobody was paid' };
      const path = `/internal/reconciliation/exceptions/${exception.id}/resolve`;
      expect((await transfers.send('POST', path, { payload, caller: admin })).status).toBe(200);
      await transfers.execute(id);
      expect([await stepOf(id), await exceptionsOf(id)]).toEqual(['failed', [{ kind: 'unknown_failure' }]]);
      expect(transfers.fakes.appliedFor(id)).toEqual([]);
    });

    test('is not refused when it is repeated before the provider says that it was not paid', async () => {
      await moveBooks();
      await pastGrace();
      const poor = transfers.merchant(0n);
      expect(await transfers.order(poor)).toMatchObject({ ok: false, code: 'insufficient_funds' });
      transfers.script.status = { kind: 'ambiguous', reason: 'no answer' };
      expect(await transfers.order(poor)).toMatchObject({ ok: true, transaction: { status: 'PENDING' } });
    });

    test('is not refused by a process that knows only the former epoch', async () => {
      await transfers.deps.books.renew();
      await transfers.pool.query('update books_epoch set unsure_until = null');
      await transfers.deps.books.renew();
      await moveBooks();
      transfers.script.status = { kind: 'ambiguous', reason: 'no answer' };
      const poor = transfers.merchant(0n);
      expect(await transfers.order(poor)).toMatchObject({ ok: true, transaction: { status: 'PENDING' } });
    });
  });

  test('no payout is begun by a process that knows only the former epoch', async () => {
    await transfers.execute(await accepted());
    const known = await transfers.deps.books.epoch();
    transfers.clock.advance(MINUTE_MS);
    await moveBooks();
    const id = await accepted();
    await transfers.execute(id);
    expect((await transfers.deps.books.epoch()).unsureUntil).not.toEqual(known.unsureUntil);
    expect(await stepOf(id)).toBe('paying_out');
  });

  test('the first request counts again for orders of a day later', async () => {
    await moveBooks();
    await transfers.execute(await accepted());
    transfers.clock.advance(25 * HOUR_MS);
    const id = await accepted();
    await transfers.execute(id);
    expect(await stepOf(id)).toBe('failed');
  });

  test('an order whose acceptance was lost gets its former payout id when it is repeated', async () => {
    const caller = transfers.merchant();
    const order = { clientTransactionId: 'CLIENT-of-a-lost-order' };
    const lost = await payoutIdOf(await accepted(order, caller));
    await transfers.pool.query(`delete from transaction_lifecycle using transactions t
      where transaction_id = t.id and client_transaction_id = 'CLIENT-of-a-lost-order'`);
    await transfers.pool.query(`delete from transactions where client_transaction_id = 'CLIENT-of-a-lost-order'`);
    expect(await payoutIdOf(await accepted(order, caller))).toBe(lost);
    expect(lost).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await payoutIdOf(await accepted(order))).not.toBe(lost);
  });
});

describe.each([
  ['of a process that was stopped', 'monotonic'],
  ['of a machine that was suspended', 'wall'],
] as const)('in the sleep %s, while another may judge its payout', (_what, clock) => {
  /** Sleeps for 20 minutes as soon as the next step is committed. */
  function sleepAfterCommit(): void {
    const { transitions } = transfers.deps;
    const commit = transitions.submit;
    vi.spyOn(transitions, 'submit').mockImplementationOnce(async (step) => {
      const taken = await commit(step);
      sleptMs[clock] += HOUR_MS / 3;
      return taken;
    });
  }
  const sent = async (id: string) => {
    const { id: payoutId } = await transfers.payoutOf(id);
    return transfers.submits.filter((submit) => submit.id === payoutId).length;
  };

  test('a first request is not sent; the next is a repeat, whose refusal is no proof', async () => {
    const id = await accepted();
    sleepAfterCommit();
    await transfers.execute(id);
    expect([await sent(id), (await transfers.payoutOf(id)).state]).toEqual([0, 'submitting']);
    await transfers.execute(id);
    expect([await sent(id), await stepOf(id)]).toEqual([1, 'paying_out']);
  });

  test('a repeat is not sent either', async () => {
    const id = await accepted();
    transfers.script.submit = { kind: 'not_sent', reason: 'no connection' };
    await transfers.execute(id);
    const before = await sent(id);
    sleepAfterCommit();
    await transfers.execute(id);
    expect(await sent(id)).toBe(before);
  });
});
