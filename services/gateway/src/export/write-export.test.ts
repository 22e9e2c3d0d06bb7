import { expect, onTestFinished, test, vi } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { readExportHead, writeExport } from './write-export.ts';

type Pages = { items: unknown[]; nextCursor: string | null }[];

/** Services that answer these pages, in this order, and an empty one afterwards. */
function servicesWith(pages: { transfers?: Pages; messages?: Pages }) {
  const asked: { path: string; caller: string }[] = [];
  const answering =
    (left: Pages) =>
    async (path: string, _schema: unknown, { caller }: { caller: string }) => {
      asked.push({ path, caller });
      return left.shift() ?? { items: [], nextCursor: null };
    };
  const [transfers, admin] = [{ get: answering(pages.transfers ?? []) }, { get: answering(pages.messages ?? []) }];
  return { asked, services: { transfers, admin } as unknown as ApiDeps['services'] };
}

async function write(services: ApiDeps['services'], firstMessages = { items: [], nextCursor: null } as Pages[number]) {
  let tokens = 0;
  const renew = async () => `token ${++tokens}`;
  let text = '';
  const start = { head: { madeAt: 'now', profile: {} }, firstMessages };
  for await (const piece of writeExport(services, start, { userId: 'u', renew })) text += piece;
  return text;
}

test('the file is one JSON document, however many pages it takes, and each page has a token of its own', async () => {
  const { asked, services } = servicesWith({
    transfers: [
      { items: [{ id: 3 }, { id: 2 }], nextCursor: '2' },
      { items: [{ id: 1 }], nextCursor: null },
    ],
    messages: [{ items: [{ body: 'c' }], nextCursor: null }],
  });
  expect(JSON.parse(await write(services, { items: [{ body: 'a' }, { body: 'b' }], nextCursor: 'b' }))).toEqual({
    madeAt: 'now',
    profile: {},
    messages: [{ body: 'a' }, { body: 'b' }, { body: 'c' }],
    transfers: [{ id: 3 }, { id: 2 }, { id: 1 }],
    withdrawals: [],
  });
  expect(asked).toEqual([
    { path: '/internal/accounts/u/messages?cursor=b', caller: 'token 1' },
    { path: '/internal/accounts/u/transfers', caller: 'token 2' },
    { path: '/internal/accounts/u/transfers?cursor=2', caller: 'token 3' },
    { path: '/internal/accounts/u/withdrawals', caller: 'token 4' },
  ]);
});

test('a page that cannot be read ends the file before its end, so that nobody takes it for complete', async () => {
  const { services } = servicesWith({});
  const lost = async () => Promise.reject(new Error('unavailable'));
  const admin = { get: lost } as unknown as ApiDeps['services']['admin'];
  await expect(write({ ...services, admin }, { items: [], nextCursor: '1' })).rejects.toThrow('unavailable');
});

test('an admin of the previous release, which answers all messages at once, is asked for no more of them', async () => {
  const call = async () => ({ profile: {}, wallets: [], accounts: [], messages: [{ body: 'a' }], deposits: [] });
  const service = { get: call, post: call };
  const old = { identity: service, admin: service, transfers: service, wallet: service };
  const account = { userId: 'u', caller: 'token', isOwn: true };
  const { firstMessages } = await readExportHead(old as unknown as ApiDeps['services'], account);
  expect(firstMessages).toEqual({ items: [{ body: 'a' }], nextCursor: null });
});

test('late in the evening in UTC the wallets are those of the day that has begun in East Africa', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T22:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  const call = async (path: string) => {
    asked.push(path);
    return { profile: { tier: 'verified' }, wallets: [], accounts: [] };
  };
  const service = { get: call, post: call };
  const services = { identity: service, admin: service, transfers: service, wallet: service };
  await readExportHead(services as unknown as ApiDeps['services'], { userId: 'u', caller: 'token', isOwn: true });
  expect(asked.find((path) => path.includes('statement'))).toContain('2026-02-01');
});
