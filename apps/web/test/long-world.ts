import { merchants, notifications, rateHistory } from './admin-fixtures.ts';
import { apiKeys } from './api-key-fixtures.ts';
import { fixedId, NO_ANSWER, transaction } from './fixtures.ts';
import { auditEntries, queues } from './operations-fixtures.ts';
import { createWorld, type World } from './world.ts';

// The data of a busy year: many rows, names and texts of maximum length, amounts of twelve digits.

const PEOPLE = [
  'Mwanahamisi Abdulrahman Mwinyimkuu wa Kilindini Traders and General Suppliers Company Limited',
  'Oluoch',
  'Wanjiku wa Kamau & Daughters',
  'Nyirabahizi-Nshimirimana Uwimana Mukandayisenga',
  'Ng\u2019ang\u2019a, J. M.',
  'Duka la Mama Zainabu (Kariakoo)',
] as const;

const pick = <Item>(list: readonly Item[], index: number): Item => list[index % list.length] as Item;
const daysAgo = (days: number): string => new Date(Date.UTC(2026, 0, 12, 6, 30) - days * 86_400_000).toISOString();
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

function login(index: number): string {
  const name = pick(PEOPLE, index)
    .toLowerCase()
    .replace(/[^a-z]+/g, '.');
  return `${name}${index}@mail.example.co.${index % 2 ? 'tz' : 'ke'}`;
}

const MIXED = ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED', 'CANCELLED'] as const;

/** A world for the screenshots in which every list is long. */
export function longWorld(): Partial<World> {
  const world = createWorld();
  const [log] = world.logs;
  const [deposit] = world.deposits;
  const [rate] = rateHistory;
  const [withdrawal] = world.adminWithdrawals;
  const [fee] = world.fees;
  const [merchant] = merchants;
  if (!log || !deposit || !rate || !withdrawal || !fee || !merchant) throw new Error('a fixture is missing');
  return {
    merchants: many(130, (index) => ({
      ...merchant,
      id: fixedId(20_000 + index),
      phone: index % 2 ? `+255754${String(100_000 + index)}` : `+254712${String(100_000 + index)}`,
      username: login(index),
      email: login(index),
      fullName: pick(PEOPLE, index),
      country: index % 2 ? 'Tanzania' : 'Kenya',
      defaultCurrency: index % 2 ? 'TZS' : 'KES',
      isBlocked: index % 7 === 3,
      lockedUntil: index % 9 === 4 ? '2026-01-12T12:15:00.000Z' : null,
      createdAt: daysAgo(index * 3),
    })),
    deposits: many(60, (index) => ({
      ...deposit,
      id: fixedId(21_000 + index),
      created_at: daysAgo(index * 2),
      amount: index % 5 === 2 ? '999999999999.00' : `${(index + 1) * 12_500}.00`,
      currency: pick(['KES', 'TZS', 'USD'] as const, index),
      reason:
        index % 4 === 1
          ? 'Float for the Dar es Salaam desk, as agreed with the treasury on the phone; the bank confirmed the transfer under its own reference FT26012A7KQ2M9XA and the slip is in the folder of the month.'
          : 'Float for the Nairobi desk',
    })),
    rateHistory: many(90, (index) => ({
      ...rate,
      id: fixedId(22_000 + index),
      createdAt: daysAgo(index),
      buyRate: 23.5 - ((index * 13) % 40) / 50,
      sellRate: Math.round((23.5 - ((index * 13) % 40) / 50) * 980) / 1000,
      updatedByName: pick(['Zuri Admin', PEOPLE[3]], index),
    })),
    logs: many(120, (index) => ({
      ...log,
      id: fixedId(23_000 + index),
      transactionId: fixedId(1_000 + Math.floor(index / 3)),
      operation: pick(['payout.initiate', 'payout.status', 'payout.callback'], index),
      responseStatus: pick([200, 202, 503, null], index),
      success: index % 4 < 2,
      timestamp: daysAgo(index / 12),
    })),
    stuck: many(40, (index) => {
      const isHuge = index % 3 === 1;
      const item = transaction(3_000 + index, {
        status: 'PENDING',
        createdAt: daysAgo(index / 24),
        updatedAt: daysAgo(index / 30),
        ...(isHuge ? { sourceAmount: '42000000.00', targetAmount: '967260000.00' } : {}),
      });
      return { transaction: { ...item, ...pick([NO_ANSWER, { statusReason: null }], index) } };
    }),
    transactions: many(120, (index) =>
      transaction(4_000 + index, { status: pick(MIXED, index), createdAt: daysAgo(index / 3) }),
    ),
    adminWithdrawals: many(40, (index) => ({
      ...withdrawal,
      id: fixedId(24_000 + index),
      createdAt: daysAgo(index),
      amount: index % 3 === 1 ? '999999999.00' : `${(index + 1) * 110_000}.00`,
      currency: pick(['KES', 'TZS'] as const, index),
      merchantName: pick(PEOPLE, index),
      recipientName: pick(PEOPLE, index + (index % 2)),
      isOwn: index % 11 === 5,
    })),
    fees: many(24, (index) => ({
      ...fee,
      id: fixedId(25_000 + index),
      currency: pick(['KES', 'TZS'] as const, index),
    })),
    notifications: many(80, (index) => ({
      ...pick(notifications, index),
      id: fixedId(26_000 + index),
      occasion: fixedId(26_000 + index),
      createdAt: daysAgo(index / 10),
      recipient: index % 3 === 1 ? '+254712000001' : login(index),
    })),
    auditEntries: many(120, (index) => ({
      ...pick(auditEntries, index),
      id: fixedId(27_000 + index),
      actor: { userId: fixedId(2), adminId: 'ADM10000001', name: pick(['Zuri Admin', PEOPLE[0]], index) },
      at: daysAgo(index / 6),
    })),
    apiKeys: many(60, (index) => ({
      ...pick(apiKeys, index),
      id: fixedId(28_000 + index),
      name: pick([...PEOPLE, 'bookkeeping'.repeat(6)], index).slice(0, 60),
      createdAt: daysAgo(index * 3),
    })),
    queues: many(18, (index) => ({
      ...pick(queues, index),
      name: index < queues.length ? pick(queues, index).name : `integration-log.calls-${index}`,
      ready: index * 12_345,
    })),
  };
}
