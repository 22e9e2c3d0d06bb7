import { expect, test } from 'vitest';
import { adminDepositsQuery } from '#features/admin-deposits/admin-deposits.api.ts';
import { merchantsQuery } from '#features/merchants/merchants.api.ts';

test('deposits are fresh for 60 s, and merchants for 10 s', () => {
  expect(adminDepositsQuery()).toMatchObject({ staleTime: 60_000, refetchOnMount: true });
  const list = merchantsQuery({ search: '', sort: '-createdAt' });
  expect(list).toMatchObject({ staleTime: 10_000, refetchOnMount: true, refetchOnWindowFocus: true });
});
