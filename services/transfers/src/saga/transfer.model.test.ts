import type { TransferStatus } from '@vuka/contracts/http/transfers';
import { expect, test } from 'vitest';
import type { Step } from '#db/states.ts';
import { SENDER_BLOCKED } from './blocked-sender.ts';
import {
  evolve,
  isFinal,
  statusOf,
  type TransferEvent,
  type TransferState,
  waitingReasonOf,
} from './transfer.domain.ts';

/**
 * A model of the money and the payee without steps. `evolve` says which events fit a step; this model says what may
 * happen to the money: it is held once, then spent or returned, never both.
 */
interface World {
  money: 'outside' | 'with the sender' | 'reserved' | 'spent' | 'given back' | 'never taken';
  payee: 'unknown' | 'phone' | 'bank' | 'merchant' | 'sender';
  approval: 'not needed' | 'asked' | 'given' | 'declined';
  payout: 'none' | 'to be begun' | 'open' | 'paid' | 'failed';
  waits: boolean;
}

const ORDERED: World = {
  money: 'with the sender',
  payee: 'unknown',
  approval: 'not needed',
  payout: 'none',
  waits: false,
};
const DEPOSITED: World = { ...ORDERED, money: 'outside', payee: 'sender' };

const isOver = ({ money }: World) => ['spent', 'given back', 'never taken'].includes(money);

/** The world after an event; unchanged if the event cannot apply. */
function happen(world: World, event: TransferEvent): World {
  const { money, payee, approval, payout } = world;
  const isPaid = payee === 'merchant' || payee === 'sender' || payout === 'paid';
  const isRefused = approval === 'declined' || payout === 'failed';
  const moved = (change: Partial<World>) => ({ ...world, ...change, waits: false });
  switch (event.type) {
    case 'held':
      if (money !== 'with the sender') return world;
      if (event.payee === 'to_be_approved') return moved({ money: 'reserved', approval: 'asked' });
      return moved({ money: 'reserved', payee: event.payee, payout: event.payee === 'phone' ? 'open' : 'none' });
    case 'hold_refused':
      return money === 'with the sender' ? moved({ money: 'never taken' }) : world;
    case 'recipient_refused':
      return money === 'with the sender' ? moved({ money: 'reserved', approval: 'declined' }) : world;
    case 'sender_blocked':
      return mayBlock(world)
        ? moved({ money: 'reserved', approval: 'declined', payout: payout === 'open' ? 'failed' : 'none' })
        : world;
    case 'approved':
      if (approval !== 'asked') return world;
      return moved({ approval: 'given', payee: event.payee, payout: event.payee === 'phone' ? 'to be begun' : 'open' });
    case 'declined':
      if (approval !== 'asked' && !(payee === 'bank' && payout === 'open')) return world;
      return moved({ approval: 'declined', payout: 'none' });
    case 'paid_by_hand':
      return payee === 'bank' && payout === 'open' ? moved({ payout: 'paid' }) : world;
    case 'payout_begun':
      return payout === 'to be begun' ? moved({ payout: 'open' }) : world;
    case 'payout_completed':
      return payee === 'phone' && payout === 'open' ? moved({ payout: 'paid' }) : world;
    case 'payout_failed':
      return payee === 'phone' && payout === 'open' ? moved({ payout: 'failed' }) : world;
    case 'booked':
      return (money === 'reserved' || money === 'outside') && isPaid ? moved({ money: 'spent' }) : world;
    case 'released':
      return money === 'reserved' && isRefused ? moved({ money: 'given back' }) : world;
    case 'waiting_too_long':
      return isOver(world) || world.waits || waitsForSomebody(world) ? world : { ...world, waits: true };
  }
}

/** Waiting for an administrator to approve, or to pay a bank; such a transfer is never late. */
function waitsForSomebody({ approval, payee, payout }: World): boolean {
  return approval === 'asked' || (payee === 'bank' && payout === 'open');
}

/** Before a payout begins, or while one to a phone is open; whether it may have been sent is not the model's to know. */
function mayBlock({ money, payee, payout }: World): boolean {
  return money === 'with the sender' || payout === 'to be begun' || (payee === 'phone' && payout === 'open');
}

/** The step that the world implies. */
function stepOf(world: World): Step {
  const { money, payee, approval, payout } = world;
  if (money === 'spent') return 'settled';
  if (money === 'given back' || money === 'never taken') return 'failed';
  if (money === 'outside') return 'depositing';
  if (money === 'with the sender') return 'created';
  if (approval === 'declined' || payout === 'failed') return 'releasing';
  if (payee === 'merchant' || payout === 'paid') return 'capturing';
  if (approval === 'asked') return 'awaiting_approval';
  if (payout === 'to be begun') return 'approved';
  return payee === 'bank' ? 'paying_by_hand' : 'paying_out';
}

function expectedStatus(world: World): TransferStatus {
  if (world.money === 'spent') return 'SETTLED';
  if (isOver(world)) return 'FAILED';
  const isBeforeWork = world.money === 'with the sender' || world.money === 'outside' || world.approval === 'asked';
  return isBeforeWork || world.waits ? 'PENDING' : 'PROCESSING';
}

const EVENTS: readonly TransferEvent[] = [
  { type: 'held', payee: 'phone' },
  { type: 'held', payee: 'merchant' },
  { type: 'held', payee: 'to_be_approved' },
  { type: 'hold_refused', code: 'insufficient_funds', reason: [{ code: 'insufficient_funds' }] },
  { type: 'recipient_refused', code: 'recipient_limit', reason: [{ code: 'recipient_limit_reached' }] },
  SENDER_BLOCKED,
  { type: 'approved', payee: 'phone' },
  { type: 'approved', payee: 'bank' },
  { type: 'declined', code: 'declined', reason: [{ code: 'not_approved', params: { reason: 'not today' } }] },
  { type: 'paid_by_hand' },
  { type: 'payout_begun' },
  { type: 'payout_completed' },
  { type: 'payout_failed', code: 'RECIPIENT_NOT_FOUND', reason: [{ code: 'number_unknown' }] },
  { type: 'booked' },
  { type: 'released' },
  { type: 'waiting_too_long', reason: [{ code: 'network_silent' }] },
];

const SEQUENCES = 10_000;
const LENGTH = 40;

/** Mulberry32: the same seed gives the same sequence everywhere. */
function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(items: readonly T[], draw: () => number): T => items[Math.floor(draw() * items.length)] as T;

/** What a refused event changed: nothing, if the same object came back with the same content. */
function changed(before: string, state: TransferState, after: TransferState): string | undefined {
  if (after === state && JSON.stringify(state) === before) return undefined;
  return `is refused, and makes ${JSON.stringify(after)}`;
}

function misplaced(world: World, after: TransferState): string | undefined {
  const isFailing = after.step === 'failed' || after.step === 'releasing';
  const fits =
    after.step === stepOf(world) &&
    statusOf(after) === expectedStatus(world) &&
    (waitingReasonOf(after) !== null) === world.waits &&
    isFinal(after) === isOver(world) &&
    'failure' in after === isFailing;
  return fits ? undefined : `makes ${JSON.stringify(after)} of ${JSON.stringify(world)}`;
}

/** Applies a sequence to both; throws at the first difference. Returns the steps seen. */
function follow(seed: number, seen: Set<Step>): void {
  const draw = draws(seed);
  const isDeposit = draw() < 0.1;
  let world = isDeposit ? DEPOSITED : ORDERED;
  let state: TransferState = Object.freeze({
    step: isDeposit ? 'depositing' : 'created',
    waitingReason: null,
  });
  for (let index = 0; index < LENGTH; index += 1) {
    const event = pick(EVENTS, draw);
    const before = JSON.stringify(state);
    const next = happen(world, event);
    const after = evolve(state, event);
    const difference = next === world ? changed(before, state, after) : misplaced(next, after);
    if (difference)
      throw new Error(`seed ${seed}, event ${index}, ${JSON.stringify(event)} on ${before}: ${difference}`);
    world = next;
    state = Object.freeze(after);
    seen.add(state.step);
  }
}

test('in 10,000 seeded sequences of events, a transfer agrees with a model of the money, and a refused event changes nothing', {
  timeout: 60_000,
}, () => {
  const seen = new Set<Step>();
  for (let seed = 1; seed <= SEQUENCES; seed += 1) follow(seed, seen);
  expect([...seen].toSorted()).toEqual(
    [
      'approved',
      'awaiting_approval',
      'capturing',
      'created',
      'depositing',
      'failed',
      'paying_by_hand',
      'paying_out',
      'releasing',
      'settled',
    ].toSorted(),
  );
});
