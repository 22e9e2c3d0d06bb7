import type pg from 'pg';
import { type FeedEvent, type FeedGap, type Figures, figuresOf } from './feed-reader.ts';

/** A transaction of any kind in the books. */
export interface EndedRow {
  id: string;
  status: string;
  type: string;
  figures: string;
  recipientUserId: string | null;
}

const ENDED = `
  select id, status, transaction_type as type, user_id as "userId", recipient_user_id as "recipientUserId",
    source_amount::text as "sourceAmount", source_currency as "sourceCurrency", target_amount::text as "targetAmount",
    target_currency as "targetCurrency"
  from transactions`;

export async function readEnded(books: pg.Client): Promise<EndedRow[]> {
  type Row = Record<keyof Figures, string> & Omit<EndedRow, 'figures'>;
  const { rows } = await books.query<Row>(ENDED);
  return rows.map(({ id, status, recipientUserId, ...row }) => ({
    id,
    status,
    type: row.type,
    recipientUserId,
    figures: figuresOf({ ...row, sourceAmount: BigInt(row.sourceAmount), targetAmount: BigInt(row.targetAmount) }),
  }));
}

const PREFIX = 'africa.vuka.transfer.';
const ENDS = [`${PREFIX}settled.v1`, `${PREFIX}failed.v1`];
const endOf = (status: string): string => (status === 'SETTLED' ? `${PREFIX}settled.v1` : `${PREFIX}failed.v1`);

/**
 * The feed reports each order and each end once, and nothing that the books lack. The events of one transfer arrive in
 * order and have its figures, and a repeated event equals the first one. Returns a line per contradiction.
 */
export function checkFeed(events: readonly FeedEvent[], rows: readonly EndedRow[]): string[] {
  const first = new Map<string, FeedEvent>();
  const wrong: string[] = [];
  const sequences = new Map<string, string>();
  for (const event of events) {
    const known = first.get(event.id);
    if (known) {
      if (known.digest !== event.digest) wrong.push(`feed: event ${event.id} was repeated with other contents`);
      continue;
    }
    first.set(event.id, event);
    const before = sequences.get(event.transferId);
    if (before !== undefined && event.sequence <= before)
      wrong.push(`feed: ${event.transferId}: ${event.sequence} arrived after ${before}`);
    sequences.set(event.transferId, event.sequence);
  }
  return [...wrong, ...missing([...first.values()], rows)];
}

/** Events that the feed lacks, has twice, or has for an unknown transaction. */
export function missing(events: readonly FeedEvent[], rows: readonly EndedRow[]): string[] {
  const byTransfer = Map.groupBy(events, ({ transferId }) => transferId);
  const known = new Set(rows.map(({ id }) => id));
  const wrong = [...byTransfer.keys()].filter((id) => !known.has(id)).map((id) => `feed: ${id} is not in the books`);
  for (const row of rows) {
    const { id, status, type } = row;
    const own = byTransfer.get(id) ?? [];
    const types = own.map((event) => event.type);
    const other = own.find((event) => !agrees(event, row));
    if (other) wrong.push(`feed: ${id}: ${describe(other)}, should be ${describe(row)}`);
    const ends = types.filter((each) => ENDS.includes(each));
    if (ends.length !== 1 || ends[0] !== endOf(status))
      wrong.push(`feed: ${id}: ${status}, ended as ${ends.join(', ') || 'nothing'}`);
    const orders = types.filter((each) => each === `${PREFIX}created.v1`).length;
    if (type !== 'deposit' && orders !== 1) wrong.push(`feed: ${id}: ordered ${orders} times`);
  }
  return wrong;
}

/** Who gets the money is found out while a transfer is executed: only its end must name them. */
function agrees({ figures, recipientUserId, type }: FeedEvent, row: EndedRow): boolean {
  const isYetUnknown = recipientUserId === null && !ENDS.includes(type);
  return figures === row.figures && (isYetUnknown || recipientUserId === row.recipientUserId);
}

const describe = ({ figures, recipientUserId }: Pick<EndedRow, 'figures' | 'recipientUserId'>): string =>
  `${figures}, to ${recipientUserId ?? 'no merchant'}`;

/**
 * The feed may announce a gap only after a promotion, when it cannot know which events the promoted server lacks.
 * Returns a line per gap without a promotion.
 */
export function checkGaps(gaps: readonly FeedGap[], promotions: readonly number[]): string[] {
  const isMeant = ({ fromMs, toMs }: FeedGap) => promotions.some((ms) => fromMs <= ms && ms <= toMs);
  return gaps.filter((gap) => !isMeant(gap)).map(() => 'feed: says that events are missing');
}
