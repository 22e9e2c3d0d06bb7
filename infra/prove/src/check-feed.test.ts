import { expect, test } from 'vitest';
import { checkFeed, checkGaps, type EndedRow } from './check-feed.ts';
import type { FeedEvent } from './feed-reader.ts';
import { notShown } from './live-pages.ts';

const event = (sequence: number, what: string, change: Partial<FeedEvent> = {}): FeedEvent => ({
  id: `${sequence}`,
  type: `africa.vuka.transfer.${what}.v1`,
  transferId: 't',
  sequence: String(sequence).padStart(10, '0'),
  figures: 'a transfer',
  recipientUserId: 'r',
  digest: what,
  ...change,
});
const rows: EndedRow[] = [
  { id: 't', status: 'SETTLED', type: 'transfer', figures: 'a transfer', recipientUserId: 'r' },
];
const [created, processing, settled] = [event(1, 'created'), event(2, 'processing'), event(3, 'settled')];

test('a feed in order, with repeats of whole events, is right', () => {
  expect(checkFeed([created, processing, created, processing, settled], rows)).toEqual([]);
});

test('an event that overtook an earlier one, and a repeat with other contents, are found', () => {
  expect(checkFeed([created, settled, processing], rows)).toEqual(['feed: t: 0000000002 arrived after 0000000003']);
  expect(checkFeed([created, settled, { ...created, digest: 'other' }], rows)).toEqual([
    'feed: event 1 was repeated with other contents',
  ]);
});

test('an end that is missing, is another one, or comes twice is found', () => {
  expect(checkFeed([created], rows)).toEqual(['feed: t: SETTLED, ended as nothing']);
  expect(checkFeed([created, event(3, 'failed')], rows)).toEqual([
    'feed: t: SETTLED, ended as africa.vuka.transfer.failed.v1',
  ]);
  expect(checkFeed([created, settled, event(4, 'settled')], rows)).toHaveLength(1);
  expect(checkFeed([settled], rows)).toEqual(['feed: t: ordered 0 times']);
});

test('an event with other figures than the books is found, or an end with another recipient', () => {
  const should = 'should be a transfer, to r';
  expect(checkFeed([created, { ...settled, figures: 'another one' }], rows)).toEqual([
    `feed: t: another one, to r, ${should}`,
  ]);
  const unknown = { recipientUserId: null };
  expect(checkFeed([{ ...created, ...unknown }, settled], rows)).toEqual([]);
  expect(checkFeed([created, { ...settled, ...unknown }], rows)).toEqual([
    `feed: t: a transfer, to no merchant, ${should}`,
  ]);
  expect(checkFeed([{ ...created, recipientUserId: 'other' }, settled], rows)).toEqual([
    `feed: t: a transfer, to other, ${should}`,
  ]);
});

test('a page that does not show how a transfer ended is found, if it was open when that was ordered', () => {
  const page = { merchant: { userId: 'u' }, shown: new Map([['t', 'PROCESSING']]), openedMs: 5 };
  const order = { userId: 'u', sentMs: 6, acknowledged: ['t'] };
  const statuses = new Map([['t', 'SETTLED']]);
  expect(notShown(page, [order], statuses)).toEqual(['live events: t is SETTLED, but its page shows PROCESSING']);
  expect(
    notShown(
      page,
      [
        { ...order, sentMs: 4 },
        { ...order, userId: 'other' },
      ],
      statuses,
    ),
  ).toEqual([]);
});

test('the feed may announce missing events to a program that resumes from before a promotion, and to no other', () => {
  const gaps = [
    { fromMs: 1, toMs: 3 },
    { fromMs: 3, toMs: 4 },
  ];
  expect(checkGaps(gaps.slice(0, 1), [2])).toEqual([]);
  expect(checkGaps(gaps, [2])).toEqual(['feed: says that events are missing']);
  expect(checkGaps(gaps.slice(0, 1), [])).toEqual(['feed: says that events are missing']);
});
