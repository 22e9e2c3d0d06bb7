import { setTimeout as delay } from 'node:timers/promises';
import { type Block, readBlocks, StreamRefused } from './event-stream.ts';
import type { Merchant } from './merchants.ts';
import type { Random } from './random.ts';

/** An open page of a merchant, as the web app keeps it up to date. */
export interface LivePage {
  address: string;
  merchant: Merchant;
  /** The latest status that the page read, by transfer id. */
  shown: Map<string, string>;
  /**
   * Whether the browser resumes a broken stream from the last event. If not, the page opens a new stream, which does
   * not resume, and reads everything again.
   */
  isResuming: boolean;
  lastEventId: string | undefined;
  openedMs: number;
  surprises: string[];
}

const SHORTEST_MS = 500;
const LONGEST_MS = 8_000;
const RECONNECT_MS = 100;
const LIST = 200;
/** The session has just ended, there are too many streams, or the product is unavailable. */
const LATER = [401, 429, 503];
const FINAL = ['SETTLED', 'FAILED', 'CANCELLED'];

export function openPage(address: string, merchant: Merchant, isResuming: boolean): LivePage {
  return {
    address,
    merchant,
    isResuming,
    shown: new Map(),
    lastEventId: undefined,
    openedMs: Date.now(),
    surprises: [],
  };
}

/** Follows the merchant's events over connections that break at any time, and reads what they name, until stopped. */
export async function keepPageOpen(
  page: LivePage,
  { random, signal }: { random: Random; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const cut = AbortSignal.any([signal, AbortSignal.timeout(random.between(SHORTEST_MS, LONGEST_MS))]);
    await follow(page, cut, signal).catch((error: Error) => {
      if (error instanceof StreamRefused && !LATER.includes(error.status))
        page.surprises.push(`live events: ${error.message}`);
    });
    await delay(RECONNECT_MS);
  }
}

/** Follows one connection until it is cut. Reads what it announced even after the cut, unless the proof stops. */
async function follow(page: LivePage, cut: AbortSignal, stopped: AbortSignal): Promise<void> {
  const resumed = page.isResuming ? page.lastEventId : undefined;
  const headers = {
    cookie: page.merchant.client.cookie,
    ...(resumed === undefined ? {} : { 'last-event-id': resumed }),
  };
  let isNew = resumed === undefined;
  for await (const block of readBlocks(`${page.address}/api/events`, headers, cut)) {
    if (isNew) await readAll(page, stopped);
    isNew = false;
    await take(page, block, stopped);
  }
}

async function take(page: LivePage, { id, event, data = '' }: Block, signal: AbortSignal): Promise<void> {
  if (event === 'transaction') await readOne(page, JSON.parse(data).transactionId, signal);
  if (id !== undefined) page.lastEventId = id;
}

/** Repeats until there is an answer: the web app's queries do so as well. */
async function read(page: LivePage, path: string, signal: AbortSignal) {
  while (!signal.aborted) {
    const answer = await page.merchant.client.get(path).catch(() => undefined);
    if (answer && !LATER.includes(answer.status)) return answer;
    await delay(RECONNECT_MS);
  }
  return undefined;
}

async function readOne(page: LivePage, id: string, signal: AbortSignal): Promise<void> {
  const answer = await read(page, `/api/transactions/${id}`, signal);
  if (answer?.status === 200) page.shown.set(id, answer.body.transaction.status);
  else if (answer) page.surprises.push(`live events: ${id} answers ${answer.status}`);
}

/** Reads the list, and each older transfer that was still open when the page last showed it. */
async function readAll(page: LivePage, signal: AbortSignal): Promise<void> {
  const listed = new Set<string>();
  let path: string | undefined = `/api/transactions?limit=${LIST}`;
  while (path !== undefined) {
    const answer = await read(page, path, signal);
    if (answer?.status !== 200) return;
    const items: { id: string; status: string }[] = answer.body;
    for (const { id, status } of items) {
      page.shown.set(id, status);
      listed.add(id);
    }
    // Transfers from a time at which a clock was ahead stand above later ones: a whole page of the others follows.
    const beginsAhead = timeOfId(items[0]?.id) > Date.now();
    path = beginsAhead ? answer.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1] : undefined;
  }
  for (const [id, status] of [...page.shown])
    if (!listed.has(id) && !FINAL.includes(status)) await readOne(page, id, signal);
}

/** The moment at which an id (UUIDv7) was made, by the clock of the process that made it; Unix time, ms. */
const timeOfId = (id = ''): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Transfers ordered while the page was open whose final status it does not show. */
export function notShown(
  { merchant, shown, openedMs }: Pick<LivePage, 'shown' | 'openedMs'> & { merchant: Pick<Merchant, 'userId'> },
  orders: readonly { userId: string; sentMs: number; acknowledged: readonly string[] }[],
  statuses: ReadonlyMap<string, string>,
): string[] {
  const mine = orders.filter(({ userId, sentMs }) => userId === merchant.userId && sentMs > openedMs);
  return mine.flatMap(({ acknowledged: [id] }) => {
    if (id === undefined || shown.get(id) === statuses.get(id)) return [];
    return [`live events: ${id} is ${statuses.get(id)}, but its page shows ${shown.get(id) ?? 'nothing'}`];
  });
}
