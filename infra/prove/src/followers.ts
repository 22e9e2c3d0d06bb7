import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { checkFeed, checkGaps, missing, readEnded } from './check-feed.ts';
import { type Feed, keepReadingFeed, openFeed } from './feed-reader.ts';
import type { History } from './history.ts';
import { keepPageOpen, type LivePage, notShown, openPage } from './live-pages.ts';
import type { Cast } from './load.ts';
import type { Random } from './random.ts';

/** The subscribers to transfers: a program that reads the feed, and open pages of some merchants. */
export interface Followers {
  feed: Feed;
  pages: LivePage[];
}

const PAGES = 4;
/** The longest delay of news without faults: a poll after a missed wake-up, plus a reconnection. */
const NEWS_MS = 20_000;

export async function gatherFollowers(address: string, { admin, merchants }: Cast): Promise<Followers> {
  const feed = await openFeed(address, admin);
  return {
    feed,
    pages: merchants.slice(0, PAGES).map((merchant, index) => openPage(address, merchant, index % 2 === 0)),
  };
}

/** Follows until stopped. */
export async function keepFollowing(
  { feed, pages }: Followers,
  { random, signal }: { random: Random; signal: AbortSignal },
): Promise<void> {
  await Promise.all([
    keepReadingFeed(feed, { random: random.fork('feed'), signal }),
    ...pages.map((page, index) => keepPageOpen(page, { random: random.fork(`page ${index}`), signal })),
  ]);
}

/**
 * Waits until the news of every transfer has arrived. Expects that every transfer has ended. Returns a line for each
 * piece of news that is missing or wrong.
 */
export async function checkNews(
  { feed, pages }: Followers,
  history: History,
  { databaseUrl, promotions }: { databaseUrl: string; promotions: readonly number[] },
): Promise<string[]> {
  const books = new pg.Client({ connectionString: databaseUrl });
  await books.connect();
  const rows = await readEnded(books).finally(() => books.end());
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const missed = () => pages.flatMap((page) => notShown(page, history.orders, statuses));
  const hasArrived = () => missing(distinct(feed), rows).length === 0 && missed().length === 0;
  await until(async () => hasArrived(), { timeoutMs: NEWS_MS, everyMs: 1_000, what: 'the news' }).catch(
    () => undefined,
  );
  const surprises = [feed, ...pages].flatMap((follower) => follower.surprises);
  return [...surprises, ...checkGaps(feed.gaps, promotions), ...checkFeed(feed.events, rows), ...missed()];
}

const distinct = ({ events }: Feed) => [...new Map(events.map((event) => [event.id, event])).values()];
