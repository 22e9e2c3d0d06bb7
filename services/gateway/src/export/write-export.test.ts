import { expect, onTestFinished, test, vi } from 'vitest';
import type { ApiDeps } from '#api/api-deps.ts';
import { readExportHead, writeExport } from './write-export.ts';

/** Transfers that answers these pages of transfers, and no withdrawals. */
function servicesWith(pages: { items: unknown[]; nextCursor: string | null }[]) {
  const asked: { path: string; caller: string }[] = [];
  const get = async (path: string, _schema: unknown, { caller }: { caller: string }) => {
    asked.push({ path, caller });
    return path.includes('/transfers') ? pages.shift() : { items: [], nextCursor: null };
  };
  return { asked, services: { transfers: { get } } as unknown as ApiDeps['services'] };
}

async function write(services: ApiDeps['services']): Promise<string> {
  let tokens = 0;
  const renew = async () => `token ${++tokens}`;
  let text = '';
  for await (const piece of writeExport(services, { madeAt: 'now', profile: {} }, { userId: 'u', renew }))
    text += piece;
  return text;
}

test('the file is one JSON document, however many pages it takes, and each page has a token of its own', async () => {
  const { asked, services } = servicesWith([
    { items: [{ id: 3 }, { id: 2 }], nextCursor: '2' },
    { items: [{ id: 1 }], nextCursor: null },
  ]);
  expect(JSON.parse(await write(services))).toEqual({
    madeAt: 'now',
    profile: {},
    transfers: [{ id: 3 }, { id: 2 }, { id: 1 }],
    withdrawals: [],
  });
  expect(asked).toEqual([
    { path: '/internal/accounts/u/transfers', caller: 'token 1' },
    { path: '/internal/accounts/u/transfers?cursor=2', caller: 'token 2' },
    { path: '/internal/accounts/u/withdrawals', caller: 'token 3' },
  ]);
});

test('a page that cannot be read ends the file before its end, so that nobody takes it for complete', async () => {
  const { services } = servicesWith([{ items: [{ id: 3 }], nextCursor: '3' }]);
  await expect(write(services)).rejects.toThrow();
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
