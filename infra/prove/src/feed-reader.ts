import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Administrator } from './administrators.ts';
import { type Block, readBlocks, StreamRefused } from './event-stream.ts';
import { minorOf } from './price.ts';
import type { Random } from './random.ts';

/** An event as the feed delivered it. */
export interface FeedEvent {
  /** The id of the CloudEvent; a repeated event has the same id. */
  id: string;
  type: string;
  transferId: string;
  sequence: string;
  /** Of what kind, from whom and how much, as `figuresOf` writes it. */
  figures: string;
  /** The merchant here who gets the money, if there is one and the event knows them. */
  recipientUserId: string | null;
  /** A hash of the whole CloudEvent: a long proof has too many events to keep in memory. */
  digest: string;
}

interface FeedPlace {
  id: string;
  /** When it arrived, ms. */
  atMs: number;
}

/** From the arrival of the position from which the program resumed until the gap was announced; ms. */
export interface FeedGap {
  fromMs: number;
  toMs: number;
}

/** What a program has read from the transfer feed, in the order of arrival. */
export interface Feed {
  /** The address of the feed, and the API key that reads it. */
  url: string;
  key: string;
  events: FeedEvent[];
  /** The ids of the blocks: positions to resume from. */
  places: FeedPlace[];
  /** When the feed announced that events are missing. */
  gaps: FeedGap[];
  surprises: string[];
}

/** Connections last so long, ms; a page of the feed may be cut anywhere. */
const SHORTEST_MS = 200;
const LONGEST_MS = 4_000;
const RECONNECT_MS = 100;
/** How often the program dies and resumes from a position that it stored a while before. */
const DIES = 0.3;
const FORGOTTEN_PLACES = 20;
/** Too many streams, since the gateway has not noticed yet that earlier ones broke; or the product is unavailable. */
const LATER = [429, 503];

export async function openFeed(address: string, { client }: Administrator): Promise<Feed> {
  const { status, body } = await client.post('/api/admin/api-keys', { name: 'Warehouse', pin: client.pin });
  if (status !== 201) throw new Error(`an API key: ${status} ${JSON.stringify(body)}`);
  const url = `${address}/api/feed/transfers?from=oldest`;
  return { url, key: body.key, events: [], places: [], gaps: [], surprises: [] };
}

/** Reads the feed over connections that break at any time, until stopped. */
export async function keepReadingFeed(
  feed: Feed,
  { random, signal }: { random: Random; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const last = feed.places.at(random.next() < DIES ? -random.between(1, FORGOTTEN_PLACES) : -1);
    const headers = { authorization: `Bearer ${feed.key}`, ...(last ? { 'last-event-id': last.id } : {}) };
    const cut = AbortSignal.any([signal, AbortSignal.timeout(random.between(SHORTEST_MS, LONGEST_MS))]);
    try {
      for await (const block of readBlocks(feed.url, headers, cut)) take(feed, block, last?.atMs ?? 0);
    } catch (error) {
      if (error instanceof StreamRefused && !LATER.includes(error.status))
        feed.surprises.push(`feed: ${error.message}`);
    }
    await delay(RECONNECT_MS);
  }
}

/** What an event says of its transfer that never changes. Amounts in minor units. */
export interface Figures {
  type: string;
  userId: string;
  sourceAmount: bigint;
  sourceCurrency: string;
  targetAmount: bigint;
  targetCurrency: string;
}

/** The figures in a form that can be compared. */
export function figuresOf({ type, userId, ...of }: Figures): string {
  return `${type} of ${userId}, ${of.sourceAmount} ${of.sourceCurrency}, ${of.targetAmount} ${of.targetCurrency}`;
}

function take(feed: Feed, { id: place, event, data }: Block, resumedMs: number): void {
  if (event === 'gap') feed.gaps.push({ fromMs: resumedMs, toMs: Date.now() });
  else if (event !== undefined && data !== undefined) {
    const { id, type, sequence, data: change } = JSON.parse(data);
    feed.events.push({
      id,
      type,
      transferId: change.transferId,
      sequence,
      figures: figuresOf({
        ...change,
        sourceAmount: minorOf(change.sourceAmount),
        targetAmount: minorOf(change.targetAmount),
      }),
      recipientUserId: change.recipientUserId,
      digest: createHash('sha256').update(data).digest('base64'),
    });
  }
  if (place !== undefined) feed.places.push({ id: place, atMs: Date.now() });
}
